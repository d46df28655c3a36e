import { fstatSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { PAGE_BYTES } from '../files/batch.ts';
import { pageSum } from '../files/checksum.ts';
import { readFully } from '../files/directory.ts';
import {
  CHECK_BYTES,
  decodeRecord,
  decodeSize,
  FIXED_BYTES,
  recordBytes,
  type RecordContent,
  SLOT_BYTES,
  SUM_BYTES,
} from './record.ts';

/**
 * A mark in the log says up to which commit the log was on disk when the mark was written: magic u32, CRC-32 u32 of
 * what follows, the log's nonce (8 bytes), sequence u64. Clients hear of a commit only after its mark. So a bad
 * record below a mark is damage, while one above all marks is the end of a log that a crash cut short. The nonce
 * keeps canisters, whose pages are in the log too, from writing marks.
 */

const MARK_MAGIC: Buffer = Buffer.from('CCM2', 'latin1');
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
function decodeMark(bytes: Buffer, nonce: Uint8Array): number | undefined {
  if (bytes.length < MARK_BYTES || bytes.compare(MARK_MAGIC, 0, 4, 0, 4) !== 0) return undefined;
  const checked = bytes.subarray(CHECKED_FROM, MARK_BYTES);
  if (crc32(checked) !== bytes.readUInt32LE(MARK_MAGIC.length)) return undefined;
  if (checked.compare(nonce, 0, NONCE_BYTES, 0, NONCE_BYTES) !== 0) return undefined;
  return Number(bytes.readBigUInt64LE(SEQUENCE_AT));
}

const WINDOW_BYTES = 1024 * 1024;
/** Slots checked at a time; they fit the window. */
const BATCH_SLOTS = 250;

export interface LogScan {
  /** Where the last whole record or mark ends. */
  readonly end: number;
  /** Whether something else follows there. */
  readonly broken: boolean;
  /** Sequence number of the last whole record, or `after` if that is higher. */
  readonly last: number;
  /** The highest sequence number known to have been on disk, of all marks, also those behind a bad record. */
  readonly synced: number;
}

/** Reads a file front to back in large pieces. */
class Window {
  readonly fileBytes: number;
  readonly #fd: number;
  #bytes = Buffer.alloc(0);
  #start = 0;

  constructor(fd: number) {
    this.#fd = fd;
    this.fileBytes = fstatSync(fd).size;
  }

  /** A view, valid until the next call; shorter at the end of the file. */
  at(position: number, length: number): Buffer {
    const offset = position - this.#start;
    if (offset < 0 || offset + length > this.#bytes.length) return this.#refill(position, length);
    return this.#bytes.subarray(offset, offset + length);
  }

  #refill(position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(Math.max(length, WINDOW_BYTES));
    this.#bytes = buffer.subarray(0, readFully(this.#fd, buffer, position));
    this.#start = position;
    return this.#bytes.subarray(0, length);
  }
}

/** Whether the slots are whole: the check value as it goes on over their sums, or nothing. */
function checkSlots(file: Window, position: number, count: number, before: number): number | undefined {
  let check = before;
  for (let done = 0; done < count; done += BATCH_SLOTS) {
    const slots = file.at(position + done * SLOT_BYTES, Math.min(BATCH_SLOTS, count - done) * SLOT_BYTES);
    for (let at = 0; at < slots.length; at += SLOT_BYTES) {
      const page = slots.subarray(at + SUM_BYTES, at + SLOT_BYTES);
      if (page.length !== PAGE_BYTES || pageSum(page) !== slots.readUInt32LE(at)) return undefined;
      check = crc32(slots.subarray(at, at + SUM_BYTES), check);
    }
  }
  return check;
}

function recordAt(file: Window, position: number): { content: RecordContent; bytes: number } | undefined {
  const size = decodeSize(file.at(position, FIXED_BYTES));
  if (size === undefined) return undefined;
  const bytes = recordBytes(size);
  if (position + bytes > file.fileBytes) return undefined;
  const startBytes = FIXED_BYTES + size.headBytes;
  const before = crc32(file.at(position, startBytes));
  const check = checkSlots(file, position + startBytes, size.pageCount, before);
  if (check !== file.at(position + bytes - CHECK_BYTES, CHECK_BYTES).readUInt32LE(0)) return undefined;
  return { content: decodeRecord(file.at(position, startBytes)), bytes };
}

/** The highest mark anywhere behind `position`. */
function marksBehind(file: Window, position: number, nonce: Uint8Array): number {
  let highest = 0;
  const step = WINDOW_BYTES - MARK_BYTES;
  for (let start = position; start < file.fileBytes; start += step) {
    const bytes = file.at(start, WINDOW_BYTES);
    for (let at = bytes.indexOf(MARK_MAGIC); at >= 0; at = bytes.indexOf(MARK_MAGIC, at + 1)) {
      highest = Math.max(highest, decodeMark(bytes.subarray(at, at + MARK_BYTES), nonce) ?? 0);
    }
  }
  return highest;
}

/**
 * Visits the whole records of a log in order, each with its position. The first may be older than `after` and must
 * not leave a gap behind it; the first record that is broken or does not continue the one before ends the scan.
 */
export function scanLog(
  fd: number,
  { start, after, nonce }: { readonly start: number; readonly after: number; readonly nonce: Uint8Array },
  visit: (content: RecordContent, position: number) => void,
): LogScan {
  const file = new Window(fd);
  let end = start;
  let last: number | undefined;
  let synced = 0;
  while (end < file.fileBytes) {
    const mark = decodeMark(file.at(end, MARK_BYTES), nonce);
    if (mark !== undefined) {
      synced = Math.max(synced, mark);
      end += MARK_BYTES;
      continue;
    }
    const found = recordAt(file, end);
    if (found === undefined) break;
    const { sequence } = found.content;
    if (last === undefined ? sequence > after + 1 : sequence !== last + 1) break;
    last = sequence;
    visit(found.content, end);
    end += found.bytes;
  }
  return {
    end,
    broken: end < file.fileBytes,
    last: Math.max(last ?? 0, after),
    synced: Math.max(synced, marksBehind(file, end, nonce)),
  };
}
