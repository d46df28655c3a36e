import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../data-dir/sync-folder.ts';
import { AppError } from '../../errors.ts';
import { type BareRepository, DRAFT } from '../repository/repository-folder.ts';
import { isOid, type LfsObject, type LfsSource } from './lfs-object.ts';

/** Objects of a repository lie in its folder, so that they go where it goes. Their names have their sizes, `<oid>-<bytes>`. */
const FOLDER = 'lfs';
const NAME = /^[0-9a-f]{64}-(\d{1,15})$/;
/** Names that are read at once. */
const NAMES_AT_ONCE = 1_000;
/** What a file takes on a disk at least, in bytes: tiny objects take room as well. */
const BLOCK = 4_096;

/** Bytes of a file that are read at once. */
const PIECE = 256 * 1024;

const NOT_PUSHED = "The repository has no such object. Push it: 'git lfs push --all origin'.";

/** Bytes of the quota that an object takes. */
export function roomOf({ size }: LfsObject): number {
  return Math.max(1, Math.ceil(size / BLOCK)) * BLOCK;
}

function pathOf(gitDir: string, { oid, size }: LfsObject): string {
  if (!isOid(oid) || !Number.isSafeInteger(size) || size < 0) throw new RangeError('This is no LFS object.');
  return join(gitDir, FOLDER, `${oid}-${size}`);
}

/** Bytes of the quota that the objects of a repository take, and how many they are. */
export async function objectsOf(gitDir: string): Promise<{ bytes: number; files: number }> {
  let [bytes, files] = [0, 0];
  try {
    for await (const { name } of await opendir(join(gitDir, FOLDER), { bufferSize: NAMES_AT_ONCE })) {
      const size = NAME.exec(name)?.[1];
      if (size === undefined) continue;
      bytes += roomOf({ oid: '', size: Number(size) });
      files += 1;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return { bytes, files };
}

/** Whether a repository has an object of that id and size. */
export async function hasObject(gitDir: string, object: LfsObject): Promise<boolean> {
  return stat(pathOf(gitDir, object)).then(
    (found) => found.isFile() && found.size === object.size,
    () => false,
  );
}

/** An object, opened: it can be read to its end whatever becomes of its repository. Null where there is none; to be closed. */
export async function openObject(gitDir: string, object: LfsObject): Promise<FileHandle | null> {
  const file = await open(pathOf(gitDir, object), 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null || (await file.stat()).size === object.size) return file;
  await file.close();
  return null;
}

/** An object that has come whole and is nobody's yet. */
export interface ArrivedObject {
  /**
   * Puts it into its repository.
   * @param isWanted called last; what it throws keeps the object out
   * @returns whether the repository did not have it
   * @throws AppError repository_not_found when the repository has gone or has another name meanwhile
   */
  keep(isWanted: () => void): Promise<boolean>;
  /** Removes what is left of it; to be called at the end, whatever has become of it. */
  discard(): Promise<void>;
}

/**
 * Takes an object as it comes, beside its repository, and holds it against its id and size. What a killed server leaves of it is
 * removed with other drafts (`settleLeftovers`).
 * @throws AppError invalid_input when the bytes are not those of the object; what the stream throws, or the reason of the signal
 */
export async function receiveObject(
  { gitDir }: BareRepository,
  object: LfsObject,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<ArrivedObject> {
  const path = pathOf(gitDir, object);
  const draft = join(dirname(gitDir), `${DRAFT}${randomUUID()}`);
  const discard = (): Promise<void> => rm(draft, { force: true });
  try {
    await write(draft, object, body, signal);
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    discard,
    async keep(isWanted) {
      try {
        const isNew = !(await hasObject(gitDir, object));
        await makeFolder(join(gitDir, FOLDER));
        isWanted();
        await rename(draft, path);
        await syncFolder(dirname(path));
        return isNew;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        throw new AppError('repository_not_found', 'The repository has been deleted or renamed meanwhile.', {
          cause: error,
        });
      }
    },
  };
}

async function write(
  draft: string,
  { oid, size }: LfsObject,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  let written = 0;
  const file = await open(draft, 'wx', 0o600);
  try {
    for await (const piece of body) {
      signal.throwIfAborted();
      written += piece.length;
      if (written > size) throw other(`more than the ${size} bytes`);
      hash.update(piece);
      await file.writeFile(piece);
    }
    if (written < size) throw other(`${written} bytes, not the ${size}`);
    if (hash.digest('hex') !== oid) throw other('other bytes than those');
    await file.sync();
  } finally {
    await file.close();
  }
}

function other(what: string): AppError {
  return new AppError('invalid_input', `What came has ${what} that the object has by its id and size.`);
}

/** Only in a folder that is there: that of a repository that has gone must not come back. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The first bytes of a file. Behind the last one the file is not asked for more: it may be closed as soon as that is taken. */
async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

/** The objects of a repository of this host, for a build. */
export function storedObjects(gitDir: string): LfsSource {
  return {
    async *objects(wanted, signal) {
      for (const object of wanted) {
        signal.throwIfAborted();
        const file = await openObject(gitDir, object);
        if (file === null) {
          yield { object, found: { cause: NOT_PUSHED } };
          continue;
        }
        try {
          yield { object, found: { read: () => piecesOf(file, object.size) } };
        } finally {
          await file.close();
        }
      }
    },
  };
}
