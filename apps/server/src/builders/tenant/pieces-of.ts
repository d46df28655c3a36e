/** A stream in parts of known lengths; nothing of it is kept. */
export class PiecesOf {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next bytes, this many of them, or what there is. */
  async *next(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) return;
        this.#rest = next.value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Ends the stream, wherever it is. */
  async cancel(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Waits for the end of the stream. @throws what the stream throws */
  async end(): Promise<void> {
    while ((await this.#chunks.next()).done !== true);
  }
}
