import { Slice } from './bytes';
import { trap } from './system';

/** Reads forward through a stretch of memory; reading past its end traps with the name of what was being read. */
export class ByteReader {
  private at: usize;
  private end: usize;

  constructor(
    source: Slice,
    private subject: string,
  ) {
    this.at = source.pointer;
    this.end = source.pointer + source.length;
  }

  get left(): i32 {
    return <i32>(this.end - this.at);
  }

  fail(problem: string): void {
    trap(this.subject + ': ' + problem);
  }

  /** The address of the next `size` bytes, which are then behind the reader. */
  take(size: u32): usize {
    if (size > <u32>this.left) this.fail('unexpected end of data');
    const start = this.at;
    this.at += size;
    return start;
  }

  @inline
  u8(): u8 {
    return load<u8>(this.take(1));
  }
  @inline
  u32(): u32 {
    return load<u32>(this.take(4));
  }
  @inline
  u64(): u64 {
    return load<u64>(this.take(8));
  }

  uleb(): u64 {
    let value: u64 = 0;
    let shift = 0;
    while (true) {
      const byte = this.u8();
      if (shift > 63 || (shift === 63 && (byte & 0x7e) !== 0)) this.fail('number above 2^64');
      value |= (<u64>(byte & 0x7f)) << shift;
      if ((byte & 0x80) === 0) return value;
      shift += 7;
    }
  }

  /** A length or count, which cannot be above 2^31. */
  size(): i32 {
    const value = this.uleb();
    if (value > <u64>i32.MAX_VALUE) this.fail('length above 2^31');
    return <i32>value;
  }

  sleb(): i64 {
    let value: i64 = 0;
    let shift = 0;
    while (true) {
      const byte = this.u8();
      if (shift > 63) this.fail('number outside 64 bits');
      value |= (<i64>(byte & 0x7f)) << shift;
      shift += 7;
      if ((byte & 0x80) === 0) {
        return shift < 64 && (byte & 0x40) !== 0 ? value | ((<i64>-1) << shift) : value;
      }
    }
  }

  /** LEB128 of any length, passed over. */
  skipLeb(): void {
    while ((this.u8() & 0x80) !== 0) {}
  }

  slice(size: u32): Slice {
    return new Slice(this.take(size), <i32>size);
  }

  text(): string {
    const size = this.size();
    const start = this.take(size);
    const text = String.UTF8.decodeUnsafe(start, size);
    if (String.UTF8.byteLength(text) !== size) this.fail('text is not valid UTF-8');
    return text;
  }
}
