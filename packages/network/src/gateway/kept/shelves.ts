import type { KeptAnswer } from './kept-answer.ts';

/** How much is kept: for all, and for one canister. */
export interface KeptLimits {
  readonly bytes: { readonly all: number; readonly canister: number };
  readonly answers: { readonly all: number; readonly canister: number };
  /** Longest body that is kept, in bytes. */
  readonly bodyBytes: number;
}

const MEBIBYTE = 1024 * 1024;
/** A site has a few dozen files of a few megabytes together; a full shelf is an eighth of all. */
export const KEPT_LIMITS: KeptLimits = {
  bytes: { all: 64 * MEBIBYTE, canister: 8 * MEBIBYTE },
  answers: { all: 16_384, canister: 1_024 },
  bodyBytes: MEBIBYTE,
};

/** The answers of one canister, those first that have been there longest. */
interface Shelf {
  readonly answers: Set<KeptAnswer>;
  /** Of its answers, and of those that are gone but still on their way to somebody. */
  bytes: number;
}

/**
 * Answers, as many as there is room for. Where there is none an answer of the canister that has most gives way, so that none pushes
 * out others that have less. Of a canister those go that came first, unless they were used since somebody last looked.
 */
export class Shelves {
  readonly #limits: KeptLimits;
  readonly #onRemoved: (answer: KeptAnswer) => void;
  readonly #shelves = new Map<string, Shelf>();
  /** Shelves by the number of digits that their bytes have in base two. */
  readonly #bySize = Array.from({ length: 33 }, () => new Set<Shelf>());
  #bytes = 0;
  #answers = 0;

  constructor(limits: KeptLimits, onRemoved: (answer: KeptAnswer) => void) {
    this.#limits = limits;
    this.#onRemoved = onRemoved;
  }

  /** What is kept. */
  get held(): { readonly bytes: number; readonly answers: number; readonly canisters: number } {
    return { bytes: this.#bytes, answers: this.#answers, canisters: this.#shelves.size };
  }

  /** Adds an answer; false where there is no room for it. */
  add(answer: KeptAnswer): boolean {
    const { bytes, answers } = this.#limits;
    const shelf = this.#shelves.get(answer.canister) ?? { answers: new Set<KeptAnswer>(), bytes: 0 };
    while (shelf.bytes + answer.bytes > bytes.canister || shelf.answers.size >= answers.canister) {
      if (!this.#removeOne(shelf)) return false;
    }
    while (this.#bytes + answer.bytes > bytes.all || this.#answers >= answers.all) {
      const largest = this.#largest();
      if (!largest || !this.#removeOne(largest)) return false;
    }
    this.#shelves.set(answer.canister, shelf);
    shelf.answers.add(answer);
    this.#answers += 1;
    this.#count(shelf, answer.bytes);
    return true;
  }

  /** Its bytes count until nobody takes them any more. */
  remove(answer: KeptAnswer): void {
    const shelf = this.#shelves.get(answer.canister);
    if (!shelf?.answers.delete(answer)) return;
    this.#answers -= 1;
    this.#onRemoved(answer);
    if (answer.isNeeded) answer.onLeft = () => this.#leave(shelf, answer);
    else this.#leave(shelf, answer);
  }

  /** Removes all answers of a canister. */
  clear(canister: string): void {
    for (const answer of this.#shelves.get(canister)?.answers ?? []) this.remove(answer);
  }

  #leave(shelf: Shelf, answer: KeptAnswer): void {
    answer.onLeft = undefined;
    this.#count(shelf, -answer.bytes);
    const isEmpty = shelf.bytes === 0 && shelf.answers.size === 0;
    if (isEmpty && this.#shelves.get(answer.canister) === shelf) this.#shelves.delete(answer.canister);
  }

  /** Whether one went. */
  #removeOne(shelf: Shelf): boolean {
    // One round at most: each that is passed over is passed over once.
    for (const answer of shelf.answers) {
      if (answer.isUsed) {
        answer.isUsed = false;
        shelf.answers.delete(answer);
        shelf.answers.add(answer);
        continue;
      }
      this.remove(answer);
      return true;
    }
    return false;
  }

  /** A shelf of which no other has twice as much; the one that has been so for longest. */
  #largest(): Shelf | undefined {
    for (const shelves of this.#bySize.toReversed()) {
      for (const shelf of shelves) if (shelf.answers.size > 0) return shelf;
    }
    return undefined;
  }

  #count(shelf: Shelf, bytes: number): void {
    this.#bySize[sizeOf(shelf)]?.delete(shelf);
    shelf.bytes += bytes;
    this.#bytes += bytes;
    if (shelf.bytes > 0) this.#bySize[sizeOf(shelf)]?.add(shelf);
  }
}

function sizeOf({ bytes }: Shelf): number {
  return 32 - Math.clz32(bytes);
}
