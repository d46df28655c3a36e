/**
 * A mark in the log says up to which commit the log was on disk when the mark was written: magic u32, CRC-32 u32 of
 * what follows, the log's nonce (8 bytes), sequence u64. Clients hear of a commit only after its mark. So a bad
 * record below a mark is damage, while one above all marks is the end of a log that a crash cut short. The nonce
 * keeps canisters, whose pages are in the log too, from writing marks.
 */
import { crc32 } from 'node:zlib';

export const MARK_MAGIC: Buffer = Buffer.from('CCM2', 'latin1');
export const MARK_BYTES = 24;
export const NONCE_BYTES = 8;
const CHECKED_FROM = 8;
const SEQUENCE_AT = CHECKED_FROM + NONCE_BYTES;

export function encodeMark(sequence: number, nonce: Uint8Array): Buffer {
  const bytes = Buffer.alloc(MARK_BYTES);
  bytes.set(MARK_MAGIC, 0);
  bytes.set(nonce, CHECKED_FROM);
  bytes.writeBigUInt64LE(BigInt(sequence), SEQUENCE_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), MARK_MAGIC.length);
  return bytes;
}

/** The sequence number of a mark of this log at the start of `bytes`, or nothing when there is none. */
export function decodeMark(bytes: Buffer, nonce: Uint8Array): number | undefined {
  if (bytes.length < MARK_BYTES || bytes.compare(MARK_MAGIC, 0, 4, 0, 4) !== 0) return undefined;
  const checked = bytes.subarray(CHECKED_FROM, MARK_BYTES);
  if (crc32(checked) !== bytes.readUInt32LE(MARK_MAGIC.length)) return undefined;
  if (checked.compare(nonce, 0, NONCE_BYTES, 0, NONCE_BYTES) !== 0) return undefined;
  return Number(bytes.readBigUInt64LE(SEQUENCE_AT));
}
