import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPlain } from '../data-dir/open-plain.ts';
import { StartError } from '../errors.ts';
import { eachOf } from '../fairness/each-of.ts';

/** Nobody but the operator reads what is in a backup. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Files that are read, hashed and brought to the disk beside each other. */
export const FILES_AT_ONCE = 8;
const PIECE = 1024 * 1024;

/** A file of a backup: its path below the folder of the backup, its bytes and its SHA-256 (hex). */
export interface FileRecord {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Makes a folder of a backup, with those above it. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: FOLDER_MODE });
}

/** Writes a file that is not there yet, piece by piece. */
export async function writeNew(
  path: string,
  content: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
): Promise<void> {
  await makeFolder(dirname(path));
  const file = await open(path, 'wx', FILE_MODE);
  await pipeline(content, file.createWriteStream());
}

/** Copies a file to one that is not there yet. @throws Error of the disk, ENOENT where it is gone, ELOOP for a link */
export async function copyPlain(from: string, to: string): Promise<void> {
  await using source = await openPlain(from);
  // Where the other file is there already nobody reads, and a stream that nobody reads would never be closed.
  async function* content(): AsyncGenerator<Uint8Array> {
    yield* source.createReadStream({ highWaterMark: PIECE, autoClose: false });
  }
  await writeNew(to, content());
}

/**
 * All files below a folder, by their paths, and its folders.
 * @throws StartError for anything that is neither: a backup holds no links
 */
export async function listFiles(root: string): Promise<{ files: string[]; folders: string[] }> {
  const files: string[] = [];
  const folders: string[] = [];
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    folders.push(folder);
    for await (const entry of await opendir(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile()) files.push(path);
      else
        throw new StartError(
          `${join(root, path)} is neither a file nor a folder. Backups hold nothing else.`,
        );
    }
  }
  return { files: files.toSorted(), folders };
}

/** Reads a file to its end, and has it on the disk where `isWritten`. */
export async function recordOf(root: string, path: string, isWritten = false): Promise<FileRecord> {
  const file = await openPlain(join(root, path));
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(PIECE);
    let bytes = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
    if (isWritten) {
      // The network's process makes its files by its own rules.
      await file.chmod(FILE_MODE);
      await file.sync();
    }
    return { path, bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** Records all files below a folder; they and their names are on the disk then, readable by this user only. */
export async function recordAll(root: string): Promise<FileRecord[]> {
  const { files, folders } = await listFiles(root);
  const records: FileRecord[] = [];
  await eachOf(files, FILES_AT_ONCE, async (path) => void records.push(await recordOf(root, path, true)));
  await eachOf(folders, FILES_AT_ONCE, async (path) => {
    const folder = await open(
      join(root, path),
      constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
    );
    try {
      await folder.chmod(FOLDER_MODE);
      await folder.sync();
    } finally {
      await folder.close();
    }
  });
  return records.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether there is anything at a path, a link included. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
