import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../data-dir/sync-folder.ts';
import { type BlobStore, checkedHash, DamagedBlobError, MissingBlobError, verified } from './blob-store.ts';
import { openIncomingFiles, readIncoming } from './incoming-files.ts';

/** A blob store in a folder: `ab/<sha256>`. */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const incoming = await openIncomingFiles(join(folder, 'incoming'));
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
