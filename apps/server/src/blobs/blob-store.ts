import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Content by its SHA-256 (hex). A stored blob never changes. */
export interface BlobStore {
  /** Stores content and answers its hash; on disk when the promise resolves. What the stream throws is thrown on. */
  put(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<{ hash: string; size: number }>;
  /** @throws Error with code ENOENT when there is no such blob, and `DamagedBlobError` */
  get(hash: string): Promise<Buffer>;
  stream(hash: string): Readable;
  has(hash: string): Promise<boolean>;
}

/** What is stored is not what was put there; the message names the file. */
export class DamagedBlobError extends Error {
  override readonly name = 'DamagedBlobError';

  constructor(path: string) {
    super(`The file ${path} is damaged: its content does not have the SHA-256 of its name.`);
  }
}

/** A blob store in a folder: `ab/<sha256>`; a blob appears whole or not at all. */
export async function openBlobFolder(folder: string): Promise<BlobStore> {
  const incoming = join(folder, 'incoming');
  // What a crash left half-written is of no use.
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true });
  const pathOf = (hash: string): string => {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('A blob is named by 64 hex digits.');
    return join(folder, hash.slice(0, 2), hash);
  };
  return {
    async put(content) {
      const temporary = join(incoming, randomUUID());
      const hasher = createHash('sha256');
      let size = 0;
      try {
        const file = await open(temporary, 'wx', 0o600);
        try {
          for await (const chunk of content instanceof Uint8Array ? [content] : content) {
            hasher.update(chunk);
            size += chunk.length;
            await file.writeFile(chunk);
          }
          await file.sync();
        } finally {
          await file.close();
        }
        const hash = hasher.digest('hex');
        const path = pathOf(hash);
        await mkdir(dirname(path), { recursive: true });
        await rename(temporary, path);
        await syncFolder(dirname(path));
        return { hash, size };
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    get: (hash) => readWhole(pathOf(hash), hash),
    stream: (hash) => createReadStream(pathOf(hash)),
    has: (hash) =>
      stat(pathOf(hash)).then(
        () => true,
        () => false,
      ),
  };
}

async function readWhole(path: string, hash: string): Promise<Buffer> {
  const content = await readFile(path);
  if (createHash('sha256').update(content).digest('hex') === hash) return content;
  throw new DamagedBlobError(path);
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
