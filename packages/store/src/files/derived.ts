import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Blobs } from './blobs.ts';

const SUM_BYTES = 4;
const SUFFIX = '.derived';

/**
 * What can be worked out again from a blob at any time, kept to save that work: files named by blob and version.
 * Nothing here is promised: a file that is missing, broken or of another version counts as absent.
 */
export class Derived {
  readonly #directory: string;

  /** Deletes what belongs to none of `blobs` or was not finished. */
  constructor(directory: string, blobs: Pick<Blobs, 'list'>) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
    const known = new Set(blobs.list());
    for (const name of readdirSync(directory)) {
      const [blob = ''] = name.split('-');
      if (!name.endsWith(SUFFIX) || !known.has(blob))
        rmSync(join(directory, name), { recursive: true, force: true });
    }
  }

  has(blob: string, version: string): boolean {
    return existsSync(this.#path(blob, version));
  }

  get(blob: string, version: string): Uint8Array | undefined {
    try {
      const bytes = readFileSync(this.#path(blob, version));
      const content = bytes.subarray(SUM_BYTES);
      return bytes.readUInt32LE(0) === crc32(content) ? content : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps the bytes in the background, in place of those of other versions. A full disk only costs the saving. */
  put(blob: string, version: string, bytes: Uint8Array): void {
    const path = this.#path(blob, version);
    const sum = Buffer.alloc(SUM_BYTES);
    sum.writeUInt32LE(crc32(bytes));
    this.delete(blob);
    writeFile(`${path}.new`, [sum, bytes])
      .then(() => rename(`${path}.new`, path))
      .catch(() => undefined);
  }

  /** Forgets every version of a blob. */
  delete(blob: string): void {
    for (const name of readdirSync(this.#directory))
      if (name.startsWith(`${blob}-`) && name.endsWith(SUFFIX))
        rmSync(join(this.#directory, name), { force: true });
  }

  #path(blob: string, version: string): string {
    return join(this.#directory, `${blob}-${version}${SUFFIX}`);
  }
}
