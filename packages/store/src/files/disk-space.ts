import { statfsSync } from 'node:fs';
import { StoreFailedError } from './errors.ts';

const ASK_EVERY_MILLISECONDS = 200;

/** Watches how much of a disk is free; asks the system a few times a second at most. */
export class DiskSpace {
  readonly #path: string;
  readonly #reserveBytes: number;
  #isLow = false;
  #askAgainAt = 0;

  constructor(path: string, reserveBytes: number) {
    this.#path = path;
    this.#reserveBytes = reserveBytes;
  }

  /** Whether less than the reserve is free. */
  get isLow(): boolean {
    const now = performance.now();
    if (now < this.#askAgainAt) return this.#isLow;
    this.#askAgainAt = now + ASK_EVERY_MILLISECONDS;
    const { bavail, bsize } = statfsSync(this.#path);
    this.#isLow = bavail * bsize < this.#reserveBytes;
    return this.#isLow;
  }
}

/** The numbers SQLite has for "database or disk is full" and the system for the disk and for the user's share of it. */
const FULL_CODES: ReadonlySet<unknown> = new Set([13, 'ENOSPC', 'EDQUOT']);

/** Runs `action`; where it fails because the disk of `directory` is full, the `StoreFailedError` says so. */
export function namingFullDisk<T>(directory: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
    if (!FULL_CODES.has(code) && !FULL_CODES.has(errcode)) throw error;
    throw new StoreFailedError(`The disk of ${directory} is full. Free some space, then start again.`, {
      cause: error,
    });
  }
}
