import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type BlobStore,
  checkedHash,
  DamagedBlobError,
  type IncomingBlob,
  MissingBlobError,
} from './blob-store.ts';

/** A blob store in a folder: `ab/<sha256>`. */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const incoming = join(folder, 'incoming');
  // What a crash left half-written is of no use.
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true });
  const pathOf = (hash: string): string => join(folder, checkedHash(hash).slice(0, 2), hash);
  return {
    async receive(content) {
      const temporary = join(incoming, randomUUID());
      try {
        const { hash, size } = await writeFile(temporary, content);
        return incomingFile({ temporary, path: pathOf(hash), hash, size });
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async get(hash) {
      const path = pathOf(hash);
      const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new MissingBlobError(`There is no file ${path}.`) : error;
      });
      if (createHash('sha256').update(content).digest('hex') === hash) return content;
      throw new DamagedBlobError(`The file ${path}`);
    },
    has: async (hash) =>
      stat(pathOf(hash)).then(
        () => true,
        () => false,
      ),
    async remove(hash) {
      await rm(pathOf(hash), { force: true });
    },
    // The folder has one server, and that has cleared up at its start.
    discardStale: async () => {},
  };
}

function incomingFile(file: { temporary: string; path: string; hash: string; size: number }): IncomingBlob {
  const { temporary, path, hash, size } = file;
  return {
    hash,
    size,
    read: () => readFile(temporary),
    async keep() {
      await mkdir(dirname(path), { recursive: true });
      await rename(temporary, path);
      await syncFolder(dirname(path));
    },
    discard: () => rm(temporary, { force: true }),
  };
}

async function writeFile(
  path: string,
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<{ hash: string; size: number }> {
  const hasher = createHash('sha256');
  let size = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      hasher.update(chunk);
      size += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { hash: hasher.digest('hex'), size };
}

/** Makes a rename durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
