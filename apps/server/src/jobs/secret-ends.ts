/** Letters of the pieces of secrets that are known by a hash. */
const PIECE = 6;
/** Bits for each letter of the secrets, and fewest and most bytes of all: with fewer bits more is hidden that need not be. */
const BITS = 64;
const LEAST_BYTES = 64 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Recognises the ends of secrets at the beginning of a text whose part before was left out. All pieces of a few letters that
 * secrets have are known, so that it costs the length of the text, whatever the number of secrets; it may hide a little more.
 */
export class SecretEnds {
  readonly #pieces: Uint8Array;
  /** Ends that are shorter than a piece. */
  readonly #ends = new Set<string>();
  readonly #least: number;

  /**
   * @param forms letters of secrets
   * @param least letters that tell something of a secret
   */
  constructor(forms: readonly string[], least: number) {
    this.#least = least;
    const letters = forms.reduce((sum, { length }) => sum + length, 0);
    const bytes = 2 ** Math.ceil(Math.log2(Math.max(LEAST_BYTES, (letters * BITS) / 8)));
    this.#pieces = new Uint8Array(Math.min(MOST_BYTES, bytes));
    for (const form of forms) {
      for (let at = 0; at + PIECE <= form.length; at += 1) {
        const bit = this.#bitOf(form, at);
        this.#pieces[bit >>> 3] = (this.#pieces[bit >>> 3] ?? 0) | (1 << (bit & 7));
      }
      for (let length = least; length < PIECE; length += 1) this.#ends.add(form.slice(-length));
    }
  }

  /** How many letters at the beginning of a text may be the end of a secret. */
  lengthIn(text: string): number {
    let at = 0;
    while (at + PIECE <= text.length && this.#has(text, at)) at += 1;
    if (at > 0) return at + PIECE - 1;
    for (let length = PIECE - 1; length >= this.#least; length -= 1)
      if (this.#ends.has(text.slice(0, length))) return length;
    return 0;
  }

  #has(text: string, at: number): boolean {
    const bit = this.#bitOf(text, at);
    return ((this.#pieces[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  /** FNV-1a over the letters of a piece. */
  #bitOf(text: string, at: number): number {
    let hash = 0x811c9dc5;
    for (let index = at; index < at + PIECE; index += 1)
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    return (hash ^ (hash >>> 15)) & (this.#pieces.length * 8 - 1);
  }
}
