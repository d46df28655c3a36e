import { openPlain } from '../data-dir/open-plain.ts';
import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { MissingBlobError } from '../blobs/blob-store.ts';
import type { BucketObjects } from '../blobs/bucket-objects.ts';
import { headOf, refLines } from '../git/repository/read-refs.ts';
import type { BareRepository } from '../git/repository/repository-folder.ts';
import { idIfThere } from '../git/repository/repository-id.ts';
import {
  type CopiedFile,
  type CopyManifest,
  manifestBytes,
  manifestKey,
  manifestsBelow,
  type ManifestKey,
  objectsBelow,
  parseManifest,
  readManifestKey,
} from './copy-format.ts';
import { gatherLoose, namesDigest } from './loose-objects.ts';
import { filesOf, fingerprintOf, type RepositoryFiles } from './repository-state.ts';

/** The file of a repository that says what of it was copied last. Without it, or with another text, the repository is copied. */
const MARKER = 'cannery-copied';
/** How often a copy is begun again while git packs what was listed. */
const ATTEMPTS = 4;
/** Most bytes of a manifest that are read; one with as many refs as git gives here is below. */
const MANIFEST_LIMIT = 96 * 1024 * 1024;

const markerSchema = z.object({ fingerprint: z.string(), manifest: z.string() });

/** Where copies go, and who makes them. */
export interface CopyPlace {
  readonly objects: BucketObjects;
  /** Id of the folder of repositories. */
  readonly folder: string;
  /** The bucket by its address: what was copied to another one is not in it. */
  readonly name: string;
  /** A folder of this server on the disk of the repositories, for files on their way. */
  readonly drafts: string;
  /** Whether the repositories still are this process's. */
  holds(): boolean;
}

/** The folder of repositories is another process's: it copies them. */
class NotOursError extends Error {
  override readonly name = 'NotOursError';

  constructor() {
    super("The folder of repositories is another process's now.");
  }
}

/** What a repository says of its last copy, and when that was, in milliseconds. */
export async function markerOf(
  gitDir: string,
): Promise<{ fingerprint: string; manifest: string; at: number } | undefined> {
  try {
    const path = join(gitDir, MARKER);
    const [text, { mtimeMs: at }] = [await readFile(path, 'utf8'), await stat(path)];
    return { ...markerSchema.parse(JSON.parse(text)), at };
  } catch {
    // It is copied again.
    return undefined;
  }
}

/** Has a repository copied again, whatever it says. */
export async function forgetCopy(gitDir: string): Promise<void> {
  await rm(join(gitDir, MARKER), { force: true });
}

async function mark(gitDir: string, what: z.output<typeof markerSchema>): Promise<void> {
  const draft = join(gitDir, `${MARKER}-${randomUUID()}`);
  try {
    await writeFile(draft, JSON.stringify(what));
    await rename(draft, join(gitDir, MARKER));
  } catch (error) {
    await rm(draft, { force: true });
    // It has another name, or is gone: both are seen at the next look.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Whether the last copy of a repository has everything; null for a repository that is gone. */
export async function isCopied(repository: BareRepository, place: CopyPlace): Promise<boolean | null> {
  const id = await idIfThere(repository.gitDir);
  if (id === null) return null;
  const marker = await markerOf(repository.gitDir);
  return marker !== undefined && marker.fingerprint === (await fingerprintOf(repository, id, place.name));
}

/**
 * Brings the copy of a repository up to date: objects that the bucket does not have first, then the manifest, which makes
 * them the state of the repository, then goes what only earlier manifests named. So the bucket has one whole state at any time.
 * The caller makes one copy of a repository at a time.
 * @returns bytes that were sent; null for a repository that is gone
 * @throws AppError storage_unavailable, NotOursError, GitError, Error of the disk
 */
export async function copyRepository(repository: BareRepository, place: CopyPlace): Promise<number | null> {
  for (let attempt = 1; ; attempt += 1) {
    const id = await idIfThere(repository.gitDir);
    if (id === null) return null;
    try {
      return await copyOnce(repository, id, place);
    } catch (error) {
      // git has packed what was listed, or the repository was renamed or removed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
    }
  }
}

/** What a bucket has of a repository. */
interface Former {
  readonly manifests: readonly ManifestKey[];
  readonly objects: ReadonlySet<string>;
  /** The newest state, where there is one that can be read. */
  readonly state: CopyManifest | undefined;
}

async function formerOf(id: string, { objects, folder }: CopyPlace): Promise<Former> {
  const manifests: ManifestKey[] = [];
  for await (const key of objects.list(manifestsBelow(folder, id))) {
    const read = readManifestKey(key);
    if (read !== undefined) manifests.push(read);
  }
  const found = new Set<string>();
  for await (const key of objects.list(objectsBelow(folder, id))) found.add(key);
  const newest = manifests.at(-1);
  if (newest === undefined) return { manifests, objects: found, state: undefined };
  const state = await readManifest(objects, newest).catch((error: unknown) => {
    if (error instanceof MissingBlobError || error instanceof DamagedManifestError) return undefined;
    throw error;
  });
  return { manifests, objects: found, state };
}

/** The manifest of a repository is not what was put there. */
export class DamagedManifestError extends Error {
  override readonly name = 'DamagedManifestError';
}

/** @throws DamagedManifestError, MissingBlobError, AppError storage_unavailable */
export async function readManifest(objects: BucketObjects, of: ManifestKey): Promise<CopyManifest> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of objects.read(of.key)) {
    size += piece.length;
    if (size > MANIFEST_LIMIT) break;
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  const damaged = `The manifest ${of.key} is damaged: its content does not have the SHA-256 of its name.`;
  if (createHash('sha256').update(bytes).digest('hex') !== of.sha256) throw new DamagedManifestError(damaged);
  try {
    const manifest = parseManifest(bytes.toString());
    if (manifest.id === of.id) return manifest;
  } catch (error) {
    throw new DamagedManifestError(`The manifest ${of.key} cannot be read by this version.`, {
      cause: error,
    });
  }
  throw new DamagedManifestError(`The manifest ${of.key} is of another repository.`);
}

async function refsOf(gitDir: string): Promise<[string, string][]> {
  return (await refLines(gitDir))
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)];
    });
}

async function copyOnce(repository: BareRepository, id: string, place: CopyPlace): Promise<number> {
  const { gitDir, owner, name } = repository;
  // Before everything that is read for the copy: what changes meanwhile makes another one.
  const fingerprint = await fingerprintOf(repository, id, place.name);
  const former = await formerOf(id, place);
  // Refs before objects: whatever a ref leads to is there when objects are listed.
  const refs = await refsOf(gitDir);
  const head = await headOf(gitDir);
  const files = await filesOf(gitDir);
  const sending = new Sending(id, place, former);
  const manifest: CopyManifest = {
    version: 1,
    at: new Date().toISOString(),
    id,
    owner,
    name,
    head,
    refs,
    packs: await sending.packs(gitDir, files),
    loose: await sending.loose(gitDir, files),
    lfs: await sending.lfs(gitDir, files),
  };
  if ((await idIfThere(gitDir)) !== id) throw Object.assign(new Error('It was moved.'), { code: 'ENOENT' });
  const bytes = manifestBytes(manifest);
  const counter = Math.max(0, ...former.manifests.map((each) => each.counter)) + 1;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const key = manifestKey(place.folder, id, counter, hash);
  if (!place.holds()) throw new NotOursError();
  await place.objects.putBytes(key, bytes);
  await mark(gitDir, { fingerprint, manifest: key });
  // Only what was there before this copy began: another process may have brought something since, if this one has stood still.
  for (const object of former.objects) {
    if (!place.holds()) throw new NotOursError();
    if (!sending.named.has(object)) await place.objects.remove(object);
  }
  for (const old of former.manifests) await place.objects.remove(old.key);
  return sending.bytes + bytes.length;
}

/** Puts what a copy names into the bucket, where it is not there yet. */
class Sending {
  /** Bytes that were put. */
  bytes = 0;
  /** Keys of all objects that the manifest names. */
  readonly named = new Set<string>();
  readonly #below: string;
  readonly #place: CopyPlace;
  readonly #former: Former;

  constructor(id: string, place: CopyPlace, former: Former) {
    this.#below = objectsBelow(place.folder, id);
    this.#place = place;
    this.#former = former;
  }

  /** @param put puts the object of that key */
  async #object(sha256: string, bytes: number, put: (key: string) => Promise<void>): Promise<void> {
    // An empty file is known without an object, which some services refuse.
    if (bytes === 0) return;
    const key = this.#below + sha256;
    this.named.add(key);
    if (this.#former.objects.has(key)) return;
    if (!this.#place.holds()) throw new NotOursError();
    await put(key);
    this.bytes += bytes;
  }

  /** A pack has the name of its content and never changes, so the hash of one that was copied is known. */
  async packs(gitDir: string, files: RepositoryFiles): Promise<CopiedFile[]> {
    const known = new Map(this.#former.state?.packs.map((each) => [each.file, each]));
    const copied: CopiedFile[] = [];
    for (const file of files.packs) {
      const path = join(gitDir, 'objects/pack', file);
      const before = known.get(file);
      const isSame = before !== undefined && (await stat(path)).size === before.bytes;
      const found = isSame ? before : { file, ...(await hashOf(path)) };
      await this.#object(found.sha256, found.bytes, (key) =>
        this.#place.objects.putFile(key, { path, size: found.bytes }),
      );
      copied.push(found);
    }
    return copied;
  }

  async loose(gitDir: string, { loose }: RepositoryFiles): Promise<CopyManifest['loose']> {
    if (loose.length === 0) return null;
    const names = namesDigest(loose);
    const before = this.#former.state?.loose;
    if (before?.names === names && this.#former.objects.has(this.#below + before.sha256)) {
      this.named.add(this.#below + before.sha256);
      return before;
    }
    const path = join(this.#place.drafts, `draft-${randomUUID()}`);
    try {
      const { bytes, sha256 } = await gatherLoose(gitDir, loose, path);
      await this.#object(sha256, bytes, (key) => this.#place.objects.putFile(key, { path, size: bytes }));
      return { names, bytes, sha256 };
    } finally {
      await rm(path, { force: true });
    }
  }

  async lfs(gitDir: string, { lfs }: RepositoryFiles): Promise<CopyManifest['lfs']> {
    if (lfs.length === 0) return null;
    for (const file of lfs) {
      const [oid = '', size] = file.split('-');
      const path = join(gitDir, 'lfs', file);
      await this.#object(oid, Number(size), (key) =>
        this.#place.objects.putFile(key, { path, size: Number(size) }),
      );
    }
    const list = Buffer.from(lfs.map((file) => `${file}\n`).join(''));
    const sha256 = createHash('sha256').update(list).digest('hex');
    await this.#object(sha256, list.length, (key) => this.#place.objects.putBytes(key, list));
    return { bytes: list.length, sha256 };
  }
}

async function hashOf(path: string): Promise<{ bytes: number; sha256: string }> {
  await using file = await openPlain(path);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of file.createReadStream({ autoClose: false })) {
    hash.update(piece as Uint8Array);
    bytes += (piece as Uint8Array).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
