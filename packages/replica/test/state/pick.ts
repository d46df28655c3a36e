/** A small reproducible generator of numbers, and what tests choose by it. */
export class Pick {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761 + 12_345) >>> 0;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  /** One of several; throws where there are none. */
  of<T>(all: Iterable<T>): T {
    const choices = [...all];
    if (choices.length === 0) throw new Error('There is nothing to pick from.');
    return choices[this.below(choices.length)] as T;
  }

  bytes(length = 4): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  hash(): string {
    return Buffer.from(this.bytes(32)).toString('hex');
  }
}
