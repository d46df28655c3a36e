import { addressOf, Bytes } from './bytes';

/** Appends bytes to a buffer that doubles when full. */
export class ByteWriter {
  private buffer: ArrayBuffer;
  length: i32 = 0;

  constructor(capacity: i32 = 256) {
    this.buffer = new ArrayBuffer(capacity);
  }

  get pointer(): usize {
    return changetype<usize>(this.buffer);
  }

  /** Makes room for `size` bytes, counts them as written and returns where they go (valid until the next call). */
  reserve(size: i32): usize {
    const start = this.length;
    const needed = start + size;
    if (needed > this.buffer.byteLength) {
      const larger = new ArrayBuffer(max(needed, this.buffer.byteLength * 2));
      memory.copy(changetype<usize>(larger), this.pointer, start);
      this.buffer = larger;
    }
    this.length = needed;
    return this.pointer + start;
  }

  /** Forgets what was written and, above `kept` bytes, the memory it took. */
  clear(kept: i32): void {
    this.length = 0;
    if (this.buffer.byteLength > kept) this.buffer = new ArrayBuffer(kept);
  }

  u8(value: u8): void {
    store<u8>(this.reserve(1), value);
  }

  u32(value: u32): void {
    store<u32>(this.reserve(4), value);
  }

  u64(value: u64): void {
    store<u64>(this.reserve(8), value);
  }

  copy(source: usize, size: i32): void {
    memory.copy(this.reserve(size), source, size);
  }

  bytes(bytes: Bytes): void {
    this.copy(addressOf(bytes), bytes.length);
  }

  /** UTF-8, without a length. */
  text(text: string): void {
    const target = this.reserve(String.UTF8.byteLength(text));
    String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, target);
  }

  uleb(value: u64): void {
    let rest = value;
    while (rest >= 0x80) {
      this.u8(<u8>(rest & 0x7f) | 0x80);
      rest >>= 7;
    }
    this.u8(<u8>rest);
  }

  sleb(value: i64): void {
    let rest = value;
    while (true) {
      const low = <u8>(rest & 0x7f);
      rest >>= 7;
      if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
        this.u8(low);
        return;
      }
      this.u8(low | 0x80);
    }
  }

  toBytes(): Bytes {
    const copy = new StaticArray<u8>(this.length);
    memory.copy(addressOf(copy), this.pointer, this.length);
    return copy;
  }
}
