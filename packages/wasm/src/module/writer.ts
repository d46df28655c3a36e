const utf8 = new TextEncoder();

/** A growing buffer with WebAssembly's number encodings. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** A view of what was written, valid until the next write. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, needed));
    grown.set(this.view);
    this.#bytes = grown;
  }

  byte(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Copies a slice of another buffer; short slices, which are nearly all, avoid the cost of making a view. */
  copy(source: Uint8Array, start: number, end: number): this {
    if (end - start > 16) return this.raw(source.subarray(start, end));
    this.#reserve(end - start);
    for (let at = start; at < end; at++) this.#bytes[this.#length++] = source[at] ?? 0;
    return this;
  }

  u32(value: number): this {
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    return this.byte(rest);
  }

  s64(value: bigint): this {
    let rest = BigInt.asIntN(64, value);
    for (;;) {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      if ((rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40)) return this.byte(low);
      this.byte(low | 0x80);
    }
  }

  name(text: string): this {
    const bytes = utf8.encode(text);
    return this.u32(bytes.length).raw(bytes);
  }

  /** A block preceded by its length in bytes: a section body or a function body. */
  sized(fill: (body: ByteWriter) => void): this {
    const body = new ByteWriter();
    fill(body);
    return this.u32(body.length).raw(body.view);
  }
}
