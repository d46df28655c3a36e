/** The bytes are not a module this network can run. The message says why, in words meant for the person who installs it. */
export class InvalidModuleError extends Error {
  override readonly name = 'InvalidModuleError';
}

const utf8 = new TextDecoder();
/** `MAX_WASM_STRING_SIZE` of wasmparser, which the replica validates with. */
const MAX_NAME_BYTES = 100_000;

/** Reads a WebAssembly binary that the engine has already validated, so malformed numbers need no handling here. */
export class ByteReader {
  readonly bytes: Uint8Array;
  position: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  get atEnd(): boolean {
    return this.position >= this.end;
  }

  byte(): number {
    return this.bytes[this.position++] ?? 0;
  }

  /** Unsigned LEB128 that fits 32 bits. */
  u32(): number {
    let result = 0;
    let shift = 0;
    for (;;) {
      const byte = this.byte();
      result |= (byte & 0x7f) << shift;
      if (byte < 0x80) return result >>> 0;
      shift += 7;
    }
  }

  /** Unsigned LEB128 of up to 64 bits. */
  u64(): bigint {
    let result = 0n;
    let shift = 0n;
    for (;;) {
      const byte = this.byte();
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
      shift += 7n;
    }
  }

  /** Signed LEB128 of up to 64 bits. */
  s64(): bigint {
    let result = 0n;
    let shift = 0n;
    for (;;) {
      const byte = this.byte();
      result |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
      if (byte < 0x80) return BigInt.asIntN(64, byte & 0x40 ? result - (1n << shift) : result);
    }
  }

  skipLeb(): void {
    while (this.byte() >= 0x80);
  }

  skip(count: number): void {
    this.position += count;
  }

  /** A view, not a copy. */
  take(count: number): Uint8Array {
    const view = this.bytes.subarray(this.position, this.position + count);
    this.position += count;
    return view;
  }

  /** Throws `InvalidModuleError` for a name that is too long. */
  name(): string {
    const length = this.u32();
    if (length > MAX_NAME_BYTES) {
      throw new InvalidModuleError(
        `Failed to validate wasm module: a name of ${length} bytes exceeds the ${MAX_NAME_BYTES} allowed.`,
      );
    }
    return utf8.decode(this.take(length));
  }

  /** Everything from here to the end, as a view. */
  rest(): Uint8Array {
    return this.take(this.end - this.position);
  }
}
