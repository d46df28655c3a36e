import { encodeLeb128 } from '../bytes.ts';
import { sha256 } from './hash.ts';

/**
 * What was proven before, so that it need not be proven again. Entries are named by a hash of fixed length, and only what
 * a signature has proven may be added: memory is bounded by `most`, whatever strangers send.
 */
export class Proven<T> {
  readonly #most: number;
  readonly #entries = new Map<string, T>();

  /** `most`: entries that are kept; the oldest go first. */
  constructor(most: number) {
    this.#most = most;
  }

  /** A name of 32 characters for `parts`, which no as many other parts have. */
  static nameOf(first: Uint8Array, ...rest: readonly Uint8Array[]): string {
    const lengths = rest.map(({ length }) => encodeLeb128(length));
    const { buffer, byteOffset, length } = sha256(...lengths, first, ...rest);
    return Buffer.from(buffer, byteOffset, length).toString('latin1');
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): T | undefined {
    return this.#entries.get(name);
  }

  add(name: string, value: T): void {
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size >= this.#most && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(name, value);
  }
}
