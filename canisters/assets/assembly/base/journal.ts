import { ByteReader } from './byte-reader';
import { ByteWriter } from './byte-writer';
import { Slice } from './bytes';
import { allocate, readStable, release, stableSize, writeStable } from './stable';
import { trap } from './system';

/**
 * The index in stable memory: a list of records, each of which replaces what earlier ones say of the same thing. A
 * message adds the records of what it changed; when there is no room left, the whole index is written again into a
 * larger place. So stable memory is complete after every message and an upgrade needs no `pre_upgrade`.
 */
export const ASSET: u8 = 1;
export const ASSET_GONE: u8 = 2;
export const BATCH: u8 = 3;
export const BATCH_GONE: u8 = 4;
export const CHUNK: u8 = 5;
export const CHUNK_GONE: u8 = 6;
export const PROPOSAL: u8 = 7;
export const EVIDENCE: u8 = 8;
export const NEXT_IDS: u8 = 9;
export const HOLDERS: u8 = 10;
export const SETTINGS: u8 = 11;
export const RULES: u8 = 12;

/** Stable memory begins with: magic, format version, and of the records offset, room and length; 8 bytes each. */
const HEADER_SIZE: i32 = 40;
/** `CASSETS1` */
const MAGIC: u64 = 0x3153544553534143;
const FORMAT: u64 = 2;
/** Least room for records, bytes. */
const LEAST_ROOM: u64 = 65536;
/** Memory kept for the records of a message, bytes. */
const BUFFER: i32 = 16384;
const REINSTALL = '; reinstall the canister instead of upgrading it';

let offset: u64 = 0;
let room: u64 = 0;
let length: u64 = 0;
/** Of the message under way. */
const records: ByteWriter = new ByteWriter(BUFFER);

/** Begins a record; the caller writes what it says. */
export function record(kind: u8): ByteWriter {
  records.u8(kind);
  return records;
}

export function hasRecords(): bool {
  return records.length > 0;
}

/** Adds the records of this message to those in stable memory; `false` if there is no room for them. */
export function addRecords(): bool {
  if (length + records.length > room) return false;
  writeStable(offset + length, records.pointer, records.length);
  length += records.length;
  forgetRecords();
  writeHeader();
  return true;
}

export function forgetRecords(): void {
  records.clear(BUFFER);
}

/** Puts the records of this message, which tell everything, instead of all that are in stable memory. */
export function replaceRecords(): void {
  const before = offset;
  const beforeRoom = room;
  length = records.length;
  room = max(LEAST_ROOM, 2 * length);
  offset = allocate(room);
  writeStable(offset, records.pointer, records.length);
  forgetRecords();
  writeHeader();
  if (beforeRoom > 0) release(before, beforeRoom);
}

function writeHeader(): void {
  const header = new ByteWriter(HEADER_SIZE);
  header.u64(MAGIC);
  header.u64(FORMAT);
  header.u64(offset);
  header.u64(room);
  header.u64(length);
  writeStable(0, header.pointer, HEADER_SIZE);
}

/** The records in stable memory; `heap.free` gives the memory of the copy back. Traps if there are none. */
export function readRecords(): Slice {
  if (stableSize() === 0) trap('stable memory is empty: there is no asset index to upgrade from');
  const header = heap.alloc(HEADER_SIZE);
  readStable(header, 0, HEADER_SIZE);
  const fields = new ByteReader(new Slice(header, HEADER_SIZE), 'asset index header');
  if (fields.u64() !== MAGIC) trap('stable memory holds no asset index of this canister' + REINSTALL);
  const format = fields.u64();
  if (format !== FORMAT) {
    trap('unknown format of the asset index: ' + format.toString() + REINSTALL);
  }
  offset = fields.u64();
  room = fields.u64();
  length = fields.u64();
  heap.free(header);
  const copy = heap.alloc(<usize>length);
  readStable(copy, offset, <i32>length);
  return new Slice(copy, <i32>length);
}

/** Where the records are, in bytes of stable memory. */
export function recordsOffset(): u64 {
  return offset;
}

export function recordsRoom(): u64 {
  return room;
}
