import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../data-dir/sync-folder.ts';
import {
  type BlobStore,
  checkedHash,
  DamagedBlobError,
  MissingBlobError,
  type PlaceMark,
  verified,
} from './blob-store.ts';
import { openIncomingFiles, readIncoming } from './incoming-files.ts';

/**
 * A blob store in a folder: `ab/<sha256>`.
 * @param drafts the folder of what is coming, on the same disk and this process's alone
 */
export async function openBlobFolder(folder: string, drafts = join(folder, 'incoming')): Promise<BlobStore> {
  const incoming = await openIncomingFiles(drafts);
  const pathOf = (hash: string): string => join(folder, checkedHash(hash).slice(0, 2), hash);
  return {
    async receive(content) {
      const { path: temporary, hash, size } = await incoming.receive(content);
      return {
        hash,
        size,
        read: (part) => readIncoming(temporary, part),
        async keep() {
          const path = pathOf(hash);
          const made = await mkdir(dirname(path), { recursive: true });
          if (made !== undefined) await syncFolder(folder);
          await rename(temporary, path);
          await syncFolder(dirname(path));
        },
        discard: () => rm(temporary, { force: true }),
      };
    },
    async get(hash) {
      const path = pathOf(hash);
      const content = await readFile(path).catch((error: NodeJS.ErrnoException) =>
        refuseMissing(error, path),
      );
      if (createHash('sha256').update(content).digest('hex') === hash) return content;
      throw new DamagedBlobError(`The file ${path}`);
    },
    async *read(hash) {
      const path = pathOf(hash);
      await stat(path).catch((error: NodeJS.ErrnoException) => refuseMissing(error, path));
      yield* verified(createReadStream(path), { hash, place: `The file ${path}` });
    },
    has: async (hash) =>
      stat(pathOf(hash)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          // A disk that fails says nothing of what is on it.
          if (error.code !== 'ENOENT') throw error;
          return false;
        },
      ),
    async remove(hash) {
      await rm(pathOf(hash), { force: true });
    },
  };
}

function refuseMissing(error: NodeJS.ErrnoException, path: string): never {
  throw error.code === 'ENOENT' ? new MissingBlobError(`There is no file ${path}.`) : error;
}

/** The mark of a folder of blobs: a file beside them. */
export function markOfFolder(folder: string): PlaceMark {
  const path = join(folder, 'place');
  return {
    read: () =>
      readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }),
    async write(mark) {
      await mkdir(folder, { recursive: true });
      const incoming = `${path}.new`;
      {
        await using file = await open(incoming, 'w', 0o600);
        await file.writeFile(mark);
        await file.sync();
      }
      await rename(incoming, path);
      await syncFolder(folder);
    },
  };
}

/** Names of all blobs in a folder of blobs, which may not be there. */
export async function* hashesIn(folder: string): AsyncGenerator<string> {
  const namesIn = (path: string): Promise<string[]> =>
    readdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
  for (const head of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(head)) continue;
    for (const name of await namesIn(join(folder, head))) if (/^[0-9a-f]{64}$/.test(name)) yield name;
  }
}
