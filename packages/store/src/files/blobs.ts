import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncDirectory, writeFully } from './directory.ts';
import { StoreDamagedError } from './errors.ts';

const HASH = /^[0-9a-f]{64}$/;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Immutable byte strings in files named by their SHA-256. */
export class Blobs {
  readonly #directory: string;
  readonly #temporary: string;

  constructor(directory: string) {
    this.#directory = directory;
    this.#temporary = join(directory, 'incomplete');
    rmSync(this.#temporary, { recursive: true, force: true });
    mkdirSync(this.#temporary, { recursive: true });
  }

  /** Returns the SHA-256 in hexadecimal; the bytes are on disk by then. */
  put(bytes: Uint8Array): string {
    const hash = sha256(bytes);
    const path = this.#path(hash);
    if (this.#holds(hash)) return hash;
    const temporary = join(this.#temporary, hash);
    const fd = openSync(temporary, 'w');
    try {
      writeFully(fd, bytes, 0);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
    syncDirectory(this.#directory);
    return hash;
  }

  /** Throws `StoreDamagedError` when the bytes are not those the name promises. */
  get(hash: string): Uint8Array | undefined {
    return readBlob(this.#directory, hash);
  }

  /** Names of all blobs. */
  list(): string[] {
    return readdirSync(this.#directory).filter((name) => HASH.test(name));
  }

  delete(hash: string): void {
    rmSync(this.#path(hash), { force: true });
  }

  /** Whether the blob is there as it was written; one that is damaged is replaced. */
  #holds(hash: string): boolean {
    try {
      return this.get(hash) !== undefined;
    } catch (error) {
      if (error instanceof StoreDamagedError) return false;
      throw error;
    }
  }

  #path(hash: string): string {
    return blobPath(this.#directory, hash);
  }
}

function blobPath(directory: string, hash: string): string {
  if (!HASH.test(hash)) throw new RangeError(`Not a SHA-256 in hexadecimal: ${hash}`);
  return join(directory, hash);
}

/** Reads a blob of a store that another thread owns. Throws as `Blobs.get`. */
export function readBlob(directory: string, hash: string): Uint8Array | undefined {
  const path = blobPath(directory, hash);
  if (!existsSync(path)) return undefined;
  const bytes = new Uint8Array(readFileSync(path));
  if (sha256(bytes) === hash) return bytes;
  throw new StoreDamagedError(path, 'its content does not have the SHA-256 of its name');
}
