import { seededRandom } from '../../../packages/network/crash/seeded-random.ts';

/** Decisions that are the same for the same seed. */
export class Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
    // The first numbers of seeds that lie beside each other do too.
    for (let turn = 0; turn < 8; turn += 1) this.next();
  }

  /** From 0 to below a number. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @throws RangeError for an empty list */
  of<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined && list.length === 0) throw new RangeError('There is nothing to choose from.');
    return one as T;
  }

  /** One of a table by its weights. */
  weighted<T extends { readonly weight: number }>(table: readonly T[]): T {
    let left = this.next() * table.reduce((sum, { weight }) => sum + weight, 0);
    return table.find(({ weight }) => (left -= weight) < 0) ?? this.of(table);
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }
}
