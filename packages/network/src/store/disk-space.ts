import { statfsSync } from 'node:fs';

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
