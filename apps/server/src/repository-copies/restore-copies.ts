import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MissingBlobError } from '../blobs/blob-store.ts';
import type { BucketObjects } from '../blobs/bucket-objects.ts';
import { closeDataDir } from '../data-dir/close-data-dir.ts';
import { openPlain } from '../data-dir/open-plain.ts';
import { syncFolder } from '../data-dir/sync-folder.ts';
import { StartError } from '../errors.ts';
import { eachOf } from '../fairness/each-of.ts';
import {
  type BareRepository,
  createUnderFreeName,
  renamedSentence,
} from '../git/repository/repository-folder.ts';
import { leaveOwnerOpen } from '../git/host/owner-mark.ts';
import { linesOf } from '../lines-of.ts';
import { GitError, runGit } from '../git/repository/run-git.ts';
import {
  type CopyManifest,
  manifestsBelow,
  type ManifestKey,
  objectsBelow,
  readManifestKey,
} from './copy-format.ts';
import { DamagedManifestError, readManifest } from './copy-repository.ts';
import { spreadLoose } from './loose-objects.ts';

/** Is in a folder of repositories while they are being brought back. */
const UNFINISHED = 'restore.unfinished';
/** The file with the id of a folder of repositories (git/remote/git-lease.ts). */
const ID_FILE = '.cannery-folder';
/** Repositories that are brought back beside each other. */
const REPOSITORIES_AT_ONCE = 4;
/** Most bytes of a list of files of Git LFS: of as many as the largest repository that the settings allow can have. */
const LIST_LIMIT = 256 * 1024 * 1024;
const LFS = /^([0-9a-f]{64})-(\d{1,15})$/;

/** @throws StartError for a folder into which repositories were being brought back when that was cut off */
export async function refuseUnfinished(root: string): Promise<void> {
  const isThere = await stat(join(root, UNFINISHED)).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new StartError(
      `A restore into ${root} was cut off. Empty the folder and run npm run restore-repositories again.`,
    );
}

/** What became of a restore. */
export interface RestoredCopies {
  /** Id of the folder of repositories. */
  readonly folder: string;
  readonly restored: number;
  /** What could not be brought back, a sentence each, with the name of its repository. */
  readonly failures: readonly string[];
  /** What has another name than it had when it was copied, a sentence each. */
  readonly renamed: readonly string[];
}

/** Something of a copy is not what was put there, or is missing. */
class BadCopyError extends Error {
  override readonly name = 'BadCopyError';
}

/** The newest manifest of every repository, by the folder that it was copied from. */
async function newestOf(objects: BucketObjects): Promise<Map<string, Map<string, ManifestKey>>> {
  const folders = new Map<string, Map<string, ManifestKey>>();
  for await (const key of objects.list(manifestsBelow())) {
    const read = readManifestKey(key);
    if (read === undefined) continue;
    const folder = folders.get(read.folder) ?? new Map<string, ManifestKey>();
    folders.set(read.folder, folder);
    // Keys come in the order of their counters.
    folder.set(read.id, read);
  }
  return folders;
}

/**
 * Fills an empty folder with the repositories that were copied to a bucket. Each object is held against its SHA-256; a repository of
 * which something is damaged or missing is left out and named, and the others are brought back.
 * @param options.root the folder, which has nothing in it, or is not there
 * @param options.folder id of the folder that is lost, where the bucket has more than one
 * @throws StartError for a folder that is not empty, or when it is not clear what is to be restored; AppError storage_unavailable
 */
export async function restoreCopies(
  objects: BucketObjects,
  options: { readonly root: string; readonly folder?: string | undefined },
): Promise<RestoredCopies> {
  const { root } = options;
  closeDataDir(root, 'REPOSITORIES_DIR');
  const [first] = await readdir(root);
  if (first !== undefined)
    throw new StartError(
      `${root} is not empty: it has ${first}. Repositories are brought back into an empty folder only.`,
    );
  const folders = await newestOf(objects);
  const folder = chosen(folders, options.folder);
  await writeFile(join(root, UNFINISHED), '', { flag: 'wx', mode: 0o600, flush: true });
  const failures: string[] = [];
  const renamed: string[] = [];
  // A user who came later than the copy of a repository is not its owner, whatever the name.
  const oldest = new Map<string, string>();
  let restored = 0;
  await eachOf(folders.get(folder)?.values() ?? [], REPOSITORIES_AT_ONCE, async (of) => {
    let what = `The repository with the id ${of.id}`;
    try {
      const manifest = await readManifest(objects, of);
      what = `${manifest.owner}/${manifest.name}`;
      const made = await restoreOne(objects, of, manifest, root);
      const before = oldest.get(made.owner) ?? manifest.at;
      oldest.set(made.owner, before < manifest.at ? before : manifest.at);
      if (made.name !== manifest.name) renamed.push(renamedSentence({ ...made, asked: manifest.name }));
      restored += 1;
    } catch (error) {
      failures.push(`${what}: ${sentenceOf(error)}`);
    }
  });
  for (const [owner, at] of oldest) await leaveOwnerOpen(root, owner, new Date(at));
  await writeFile(join(root, ID_FILE), folder, { flag: 'wx', mode: 0o600, flush: true });
  await rm(join(root, UNFINISHED));
  await syncFolder(root);
  return { folder, restored, failures: failures.toSorted(), renamed: renamed.toSorted() };
}

function chosen(folders: ReadonlyMap<string, ReadonlyMap<string, unknown>>, wanted?: string): string {
  const ids = [...folders.keys()];
  if (wanted !== undefined && folders.has(wanted)) return wanted;
  const list = ids.map((id) => `  ${id} (${folders.get(id)?.size ?? 0} repositories)`).join('\n');
  if (wanted !== undefined) throw new StartError(`The bucket has no copies of a folder ${wanted}:\n${list}`);
  const [only, ...others] = ids;
  if (only === undefined) throw new StartError('The bucket has no copies of repositories.');
  if (others.length > 0)
    throw new StartError(`The bucket has copies of several folders. Name one by --folder ID:\n${list}`);
  return only;
}

/** @throws what is no fault of a copy: the service, or the disk */
function sentenceOf(error: unknown): string {
  const known = [BadCopyError, MissingBlobError, DamagedManifestError, GitError];
  if (error instanceof Error && known.some((kind) => error instanceof kind)) return error.message;
  throw error;
}

/** The bucket may have a name twice: of a repository whose new name was not copied any more, and of the one that got its name. */
async function restoreOne(
  objects: BucketObjects,
  of: ManifestKey,
  manifest: CopyManifest,
  root: string,
): Promise<BareRepository> {
  const { id, owner, name, head, refs } = manifest;
  const made = await createUnderFreeName(root, owner, name, async (gitDir) => {
    await fill(objects, of, manifest, gitDir);
    await writeFile(join(gitDir, 'cannery-id'), id, { flush: true });
    // Names of refs are bytes: each is a character here.
    const lines = refs.map(([object, ref]) => `${object} ${ref}\n`).join('');
    if (refs.length > 0)
      await writeFile(join(gitDir, 'packed-refs'), Buffer.from(lines, 'latin1'), { flag: 'wx', flush: true });
    if (head !== null) await runGit(['--git-dir', gitDir, 'symbolic-ref', 'HEAD', `refs/heads/${head}`]);
  });
  if (made === null) throw new BadCopyError('the bucket has too many repositories of that name.');
  return made;
}

async function fill(
  objects: BucketObjects,
  of: ManifestKey,
  { packs, loose, lfs }: CopyManifest,
  gitDir: string,
): Promise<void> {
  const below = objectsBelow(of.folder, of.id);
  const fetch = (path: string, what: { bytes: number; sha256: string }, mode = 0o444): Promise<void> =>
    fetchFile(objects, below + what.sha256, { path: join(gitDir, path), mode, ...what });
  for (const pack of packs) await fetch(`objects/pack/${pack.file}`, pack);
  if (loose !== null) {
    const gathered = `draft-${randomUUID()}`;
    await fetch(gathered, loose);
    await spreadLoose(join(gitDir, gathered), gitDir);
    await rm(join(gitDir, gathered), { force: true });
  }
  if (lfs === null) return;
  if (lfs.bytes > LIST_LIMIT) throw new BadCopyError('its list of files of Git LFS is too long.');
  const list = `draft-${randomUUID()}`;
  await fetch(list, lfs);
  await using gathered = await openPlain(join(gitDir, list));
  for await (const line of linesOf(gathered.createReadStream({ autoClose: false }), 'latin1')) {
    const [file, oid, bytes] = LFS.exec(line) ?? [];
    if (file === undefined || oid === undefined)
      throw new BadCopyError('its list of files of Git LFS has something else in it.');
    await fetch(`lfs/${file}`, { bytes: Number(bytes), sha256: oid }, 0o600);
  }
  await rm(join(gitDir, list), { force: true });
}

/** @throws BadCopyError for an object that is not what its name says; MissingBlobError */
async function fetchFile(
  objects: BucketObjects,
  key: string,
  { path, mode, bytes, sha256 }: { path: string; mode: number; bytes: number; sha256: string },
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await using file = await open(path, 'wx', mode);
  const hash = createHash('sha256');
  let written = 0;
  // Of an empty file there is no object.
  for await (const piece of bytes === 0 ? [] : objects.read(key)) {
    written += piece.length;
    if (written > bytes) break;
    hash.update(piece);
    await file.writeFile(piece);
  }
  await file.sync();
  if (written !== bytes || hash.digest('hex') !== sha256)
    throw new BadCopyError(
      `the object ${key} is damaged: its content does not have the SHA-256 of its name.`,
    );
}
