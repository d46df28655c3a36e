/**
 * One commit as it is in the log:
 *
 *     magic u32, head length u32, page count u32, zero u32, sequence u64      fixed part
 *     copied, dropped and resized spaces, deleted keys, puts, page list       head
 *     page count times (sum of the page u32, 4096 bytes)                      slots
 *     CRC-32 of the fixed part, the head and the sums                         u32
 *
 * All numbers are little-endian. The check value stands last so that a record of any size is written in one pass, and
 * leaves the pages to their own sums, which go with them into the page files.
 */
import { type Batch, PAGE_BYTES } from '../files/batch.ts';

export const FIXED_BYTES = 24;
export const CHECK_BYTES = 4;
export const SUM_BYTES = 4;
export const SLOT_BYTES = SUM_BYTES + PAGE_BYTES;
const MAGIC = 0x32_52_43_43; // "CCR2"

export interface RecordSize {
  readonly headBytes: number;
  readonly pageCount: number;
}

/** What a record changes, with the position of each value and slot relative to the start of the record. */
export interface RecordContent {
  readonly sequence: number;
  readonly copySpaces: readonly { readonly from: string; readonly to: string }[];
  readonly dropSpaces: readonly string[];
  readonly sizes: readonly { readonly space: string; readonly pages: number }[];
  readonly deletes: readonly string[];
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array; readonly position: number }[];
  readonly pages: readonly { readonly space: string; readonly index: number; readonly position: number }[];
}

export function recordBytes({ headBytes, pageCount }: RecordSize): number {
  return FIXED_BYTES + headBytes + pageCount * SLOT_BYTES + CHECK_BYTES;
}

class HeadWriter {
  #bytes = Buffer.allocUnsafe(4_096);
  #length = FIXED_BYTES;

  get length(): number {
    return this.#length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + count));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.u32(length);
    this.#reserve(length);
    this.#length += this.#bytes.write(value, this.#length);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(sequence: number, pageCount: number): Uint8Array {
    this.#bytes.writeUInt32LE(MAGIC, 0);
    this.#bytes.writeUInt32LE(this.#length - FIXED_BYTES, 4);
    this.#bytes.writeUInt32LE(pageCount, 8);
    this.#bytes.writeUInt32LE(0, 12);
    this.#bytes.writeBigUInt64LE(BigInt(sequence), 16);
    return this.#bytes.subarray(0, this.#length);
  }
}

/** The fixed part and the head of a batch's record, and what it will contain once the slots follow. */
export function encodeRecord(batch: Batch, sequence: number): { start: Uint8Array; content: RecordContent } {
  const out = new HeadWriter();
  const each = <T>(items: readonly T[], write: (item: T) => void): void => {
    out.u32(items.length);
    for (const item of items) write(item);
  };
  const { copySpaces = [], dropSpaces, sizes, deletes } = batch;
  each(copySpaces, ({ from, to }) => {
    out.text(from);
    out.text(to);
  });
  each(dropSpaces, (space) => out.text(space));
  each(sizes, ({ space, pages }) => {
    out.text(space);
    out.u32(pages);
  });
  each(deletes, (key) => out.text(key));
  const puts: RecordContent['puts'][number][] = [];
  each(batch.puts, ([key, value]) => {
    out.text(key);
    out.u32(value.length);
    puts.push({ key, value, position: out.length });
    out.raw(value);
  });
  const spaces = new Map<string, number>();
  for (const { space } of batch.pages) if (!spaces.has(space)) spaces.set(space, spaces.size);
  each([...spaces.keys()], (space) => out.text(space));
  for (const { space, index } of batch.pages) {
    out.u32(spaces.get(space) ?? 0);
    out.u32(index);
  }
  const start = out.finish(sequence, batch.pages.length);
  const pages = batch.pages.map(({ space, index }, order) => ({
    space,
    index,
    position: start.length + order * SLOT_BYTES,
  }));
  return { start, content: { sequence, copySpaces, dropSpaces, sizes, deletes, puts, pages } };
}

/** The sizes a fixed part announces, or nothing when these bytes do not start a record. */
export function decodeSize(fixed: Buffer): RecordSize | undefined {
  if (fixed.length < FIXED_BYTES || fixed.readUInt32LE(0) !== MAGIC || fixed.readUInt32LE(12) !== 0)
    return undefined;
  return { headBytes: fixed.readUInt32LE(4), pageCount: fixed.readUInt32LE(8) };
}

/** Decodes the fixed part and the head of a record whose check value was right. */
export function decodeRecord(start: Buffer): RecordContent {
  let at = FIXED_BYTES;
  const u32 = (): number => {
    at += 4;
    return start.readUInt32LE(at - 4);
  };
  const text = (): string => {
    const length = u32();
    at += length;
    return start.toString('utf8', at - length, at);
  };
  const each = <T>(read: () => T): T[] => Array.from({ length: u32() }, read);
  const copySpaces = each(() => ({ from: text(), to: text() }));
  const dropSpaces = each(text);
  const sizes = each(() => ({ space: text(), pages: u32() }));
  const deletes = each(text);
  const puts = each(() => {
    const key = text();
    const length = u32();
    const position = at;
    at += length;
    return { key, value: start.subarray(position, at), position };
  });
  const spaces = each(text);
  const pages = Array.from({ length: start.readUInt32LE(8) }, (_, order) => ({
    space: spaces[u32()] ?? '',
    index: u32(),
    position: start.length + order * SLOT_BYTES,
  }));
  const sequence = Number(start.readBigUInt64LE(16));
  return { sequence, copySpaces, dropSpaces, sizes, deletes, puts, pages };
}
