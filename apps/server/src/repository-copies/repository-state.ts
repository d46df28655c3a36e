import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openPlain } from '../data-dir/open-plain.ts';
import type { BareRepository } from '../git/repository/repository-folder.ts';

const TWO_DIGITS = /^[0-9a-f]{2}$/;
const OBJECT = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/;
const PACK = /^pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.(?:pack|idx)$/;
const LFS = /^[0-9a-f]{64}-\d{1,15}$/;
/** Names that are read at once. */
const NAMES_AT_ONCE = 1_000;
/** Listings until two are alike, while git packs. */
const LISTINGS = 5;

/** The files of a repository that hold its content: only names that git, or this server, has given are among them. */
export interface RepositoryFiles {
  /** Packs, each by two files: `pack-….pack` and `pack-….idx`. */
  readonly packs: readonly string[];
  /** Objects outside packs, `ab/cdef…`. */
  readonly loose: readonly string[];
  /** Files of Git LFS, `<oid>-<bytes>`. */
  readonly lfs: readonly string[];
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Entries of a folder. @param encoding of their names: `latin1` keeps every byte of a name that a tenant gave */
async function entriesOf(folder: string | Buffer, encoding: BufferEncoding = 'utf8'): Promise<Dirent[]> {
  const found: Dirent[] = [];
  try {
    // The types of Node know no Buffer here, but opendir takes one (doc/api/fs.md).
    const opened = await opendir(folder as string, { bufferSize: NAMES_AT_ONCE, encoding });
    for await (const entry of opened) found.push(entry);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function packsOf(gitDir: string): Promise<string[]> {
  const names = (await entriesOf(join(gitDir, 'objects/pack'))).map(({ name }) => name);
  const found = new Set(names.filter((name) => PACK.test(name)));
  // Without its index a pack is still coming; without its pack an index is still going.
  return [...found].filter((name) =>
    ['pack', 'idx'].every((kind) => found.has(`${name.slice(0, name.lastIndexOf('.'))}.${kind}`)),
  );
}

/**
 * Lists what a repository has. Objects outside packs come first: git packs an object before it removes its file, so that
 * none is missed; and packs are listed until they are the same twice.
 * @throws Error of the disk
 */
export async function filesOf(gitDir: string): Promise<RepositoryFiles> {
  const loose: string[] = [];
  for (const { name: two } of await entriesOf(join(gitDir, 'objects'))) {
    if (!TWO_DIGITS.test(two)) continue;
    for (const { name } of await entriesOf(join(gitDir, 'objects', two)))
      if (OBJECT.test(name)) loose.push(`${two}/${name}`);
  }
  let packs = await packsOf(gitDir);
  for (let listing = 1; listing < LISTINGS; listing += 1) {
    const again = await packsOf(gitDir);
    const isSame = again.join() === packs.join();
    packs = again;
    if (isSame) break;
  }
  const lfs = (await entriesOf(join(gitDir, 'lfs'))).map(({ name }) => name).filter((name) => LFS.test(name));
  return { packs, loose, lfs };
}

/** The content of a file piece by piece; of none where there is no such file. */
async function* piecesOf(path: string | Buffer): AsyncGenerator<Uint8Array> {
  const file = await openPlain(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (file !== undefined) yield* file.createReadStream();
}

/**
 * What differs as soon as anything differs that a copy holds: names, refs, HEAD, objects. It is read from the disk without
 * git, so that whatever has changed a repository is found, also after a crash.
 * @param place what the copy is in: in another bucket there is none yet
 */
export async function fingerprintOf(repository: BareRepository, id: string, place: string): Promise<string> {
  const { gitDir, owner, name } = repository;
  const hash = createHash('sha256').update(JSON.stringify([place, id, owner, name]));
  // Names of refs are bytes: each is a character here.
  const pathOf = (path: string): Buffer =>
    Buffer.concat([Buffer.from(`${gitDir}/`), Buffer.from(path, 'latin1')]);
  const addContent = async (path: string): Promise<void> => {
    hash.update(`\n${JSON.stringify(path)}\n`);
    for await (const piece of piecesOf(pathOf(path))) hash.update(piece);
  };
  const addRefs = async (folder: string): Promise<void> => {
    for (const entry of await entriesOf(pathOf(folder), 'latin1')) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) await addRefs(path);
      else if (entry.isFile() && !entry.name.endsWith('.lock')) await addContent(path);
    }
  };
  await addContent('HEAD');
  // Loose ones first: git packs a ref before it removes the loose file.
  await addRefs('refs');
  await addContent('packed-refs');
  const { packs, loose, lfs } = await filesOf(gitDir);
  for (const names of [packs, loose, lfs]) hash.update(`\n${names.join('\n')}\n`);
  return hash.digest('hex');
}

/**
 * For how long a repository has had something that its copy has not, by its files: from the first one that is newer than the
 * copy, or from its last change.
 * @param copiedAt when it was copied, in milliseconds by the clock of the files; undefined when it never was
 * @returns milliseconds
 */
export async function changedFor(gitDir: string, copiedAt: number | undefined): Promise<number> {
  const { packs } = await filesOf(gitDir);
  const paths = ['HEAD', 'packed-refs', 'refs', 'refs/heads', 'refs/tags', 'lfs', 'cannery-id'];
  const times: number[] = [];
  for (const path of [...paths, ...packs.map((name) => `objects/pack/${name}`)]) {
    const found = await stat(join(gitDir, path)).catch(() => undefined);
    if (found !== undefined && found.mtimeMs >= (copiedAt ?? 0)) times.push(found.mtimeMs);
  }
  const now = Date.now();
  return Math.max(0, now - Math.min(now, ...times));
}
