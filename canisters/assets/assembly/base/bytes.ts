/** An immutable run of bytes. A `StaticArray` has no second object behind it, which keeps the index small. */
export type Bytes = StaticArray<u8>;

/** A stretch of linear memory that outlives the message (static) or belongs to the argument buffer. */
export class Slice {
  constructor(
    public pointer: usize,
    public length: i32,
  ) {}

  toBytes(): Bytes {
    const copy = new StaticArray<u8>(this.length);
    memory.copy(changetype<usize>(copy), this.pointer, this.length);
    return copy;
  }
}

@inline
export function addressOf(bytes: Bytes): usize {
  return changetype<usize>(bytes);
}

export function utf8(text: string): Bytes {
  const bytes = new StaticArray<u8>(String.UTF8.byteLength(text));
  String.UTF8.encodeUnsafe(changetype<usize>(text), text.length, addressOf(bytes));
  return bytes;
}

export function textOf(bytes: Bytes): string {
  return String.UTF8.decodeUnsafe(addressOf(bytes), bytes.length);
}

/** Bytewise order, a prefix before what it starts: the order of labels in a hash tree. */
export function compareBytes(a: Bytes, b: Bytes): i32 {
  const shorter = min(a.length, b.length);
  const order = memory.compare(addressOf(a), addressOf(b), shorter);
  return order !== 0 ? order : a.length - b.length;
}

export function sameBytes(a: Bytes, b: Bytes): bool {
  return a.length === b.length && memory.compare(addressOf(a), addressOf(b), a.length) === 0;
}

const HEX = '0123456789abcdef';

export function hex(bytes: Bytes): string {
  const digits = new StaticArray<u8>(bytes.length * 2);
  for (let i = 0; i < bytes.length; i++) {
    const byte = unchecked(bytes[i]);
    unchecked((digits[2 * i] = <u8>HEX.charCodeAt(byte >> 4)));
    unchecked((digits[2 * i + 1] = <u8>HEX.charCodeAt(byte & 15)));
  }
  return textOf(digits);
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Standard base64 with padding, as structured HTTP headers write byte sequences. */
export function base64(source: usize, length: i32): string {
  const digits = new StaticArray<u8>(((length + 2) / 3) * 4);
  let out = 0;
  for (let i = 0; i < length; i += 3) {
    const left = length - i;
    const group =
      (<u32>load<u8>(source + i) << 16) |
      (left > 1 ? <u32>load<u8>(source + i + 1) << 8 : 0) |
      (left > 2 ? <u32>load<u8>(source + i + 2) : 0);
    unchecked((digits[out++] = <u8>BASE64.charCodeAt(group >> 18)));
    unchecked((digits[out++] = <u8>BASE64.charCodeAt((group >> 12) & 63)));
    unchecked((digits[out++] = left > 1 ? <u8>BASE64.charCodeAt((group >> 6) & 63) : 61));
    unchecked((digits[out++] = left > 2 ? <u8>BASE64.charCodeAt(group & 63) : 61));
  }
  return textOf(digits);
}
