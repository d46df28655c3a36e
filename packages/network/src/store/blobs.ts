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

const HASH = /^[0-9a-f]{64}$/;

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
    const hash = createHash('sha256').update(bytes).digest('hex');
    const path = this.#path(hash);
    if (existsSync(path)) return hash;
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

  get(hash: string): Uint8Array | undefined {
    const path = this.#path(hash);
    return existsSync(path) ? new Uint8Array(readFileSync(path)) : undefined;
  }

  /** Names of all blobs. */
  list(): string[] {
    return readdirSync(this.#directory).filter((name) => HASH.test(name));
  }

  delete(hash: string): void {
    rmSync(this.#path(hash), { force: true });
  }

  #path(hash: string): string {
    if (!HASH.test(hash)) throw new RangeError(`Not a SHA-256 in hexadecimal: ${hash}`);
    return join(this.#directory, hash);
  }
}
