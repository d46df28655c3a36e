import { addressOf, Bytes, textOf } from './bytes';

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';
const CHECKSUM_SIZE: i32 = 4;
/** Letters between two dashes. */
const GROUP: i32 = 5;

/** CRC-32 of ISO 3309, bit by bit: principals are short. */
function crc32(bytes: Bytes): u32 {
  let crc: u32 = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    crc ^= bytes[i];
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) !== 0 ? (crc >> 1) ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

/** The textual form of a principal (interface specification, "Textual representation of principals"). */
export function principalText(principal: Bytes): string {
  const data = new StaticArray<u8>(CHECKSUM_SIZE + principal.length);
  store<u32>(addressOf(data), bswap(crc32(principal)));
  memory.copy(addressOf(data) + CHECKSUM_SIZE, addressOf(principal), principal.length);
  const count = (data.length * 8 + 4) / 5;
  const text = new StaticArray<u8>(count + (count - 1) / GROUP);
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (i > 0 && i % GROUP === 0) text[at++] = 0x2d;
    text[at++] = <u8>DIGITS.charCodeAt(bitsAt(data, i * 5));
  }
  return textOf(text);
}

/** Five bits from the `start`-th on, filled up with zeros at the end. */
function bitsAt(data: Bytes, start: i32): i32 {
  const byte = start >> 3;
  const pair = (<i32>data[byte] << 8) | (byte + 1 < data.length ? <i32>data[byte + 1] : 0);
  return (pair >> (11 - (start & 7))) & 31;
}
