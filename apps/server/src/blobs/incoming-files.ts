import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobPart } from './blob-store.ts';

/** Content that has come whole, in a file that is nobody's yet. */
interface IncomingFile {
  readonly path: string;
  /** SHA-256, hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** Takes content as it comes and hashes it on its way to the disk. */
export interface IncomingFiles {
  /** What the stream throws is thrown on; nothing of it is left then. */
  receive(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<IncomingFile>;
}

/** Empties the folder first: what a crash left half-written is of no use. Only one server may use it. */
export async function openIncomingFiles(folder: string): Promise<IncomingFiles> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return {
    async receive(content) {
      const path = join(folder, randomUUID());
      try {
        return { path, ...(await write(path, content)) };
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
  };
}

async function write(
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

/** Content that has come, all of it or a part. @throws Error for a part that goes beyond its end */
export async function readIncoming(path: string, part?: BlobPart): Promise<Buffer> {
  if (part === undefined) return readFile(path);
  await using file = await open(path);
  return await readExactly(file, part);
}

/** @throws Error for a part that goes beyond the end of the file */
export async function readExactly(file: FileHandle, { at, length }: BlobPart): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, at + read);
    if (bytesRead === 0) throw new Error(`The content has no ${length} bytes at ${at}.`);
    read += bytesRead;
  }
  return bytes;
}
