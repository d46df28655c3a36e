/**
 * One commit as it stands in the log:
 *
 *     magic u32, head length u32, page count u32, zero u32, sequence u64      fixed part
 *     dropped spaces, sizes, deleted keys, puts, names of spaces, page list   head
 *     page count times 4096 bytes                                             pages
 *     CRC-32 of everything before                                             u32
 *
 * All numbers are little-endian. The check value stands last so that a record of any size is written in one pass.
 */
import { type Batch, PAGE_BYTES } from './batch.ts';

export const FIXED_BYTES = 24;
export const CHECK_BYTES = 4;
const MAGIC = 0x31_52_43_43; // "CCR1"

export interface RecordSize {
  readonly headBytes: number;
  readonly pageCount: number;
}

/** What a record changes, with the position of each value and page relative to the start of the record. */
export interface RecordContent {
  readonly sequence: number;
  readonly dropSpaces: readonly string[];
  readonly sizes: readonly { readonly space: string; readonly pages: number }[];
  readonly deletes: readonly string[];
  readonly puts: readonly { readonly key: string; readonly value: Uint8Array; readonly position: number }[];
  readonly pages: readonly { readonly space: string; readonly index: number; readonly position: number }[];
}

export function recordBytes({ headBytes, pageCount }: RecordSize): number {
  return FIXED_BYTES + headBytes + pageCount * PAGE_BYTES + CHECK_BYTES;
}

class HeadWriter {
  #bytes = Buffer.allocUnsafe(4_096);
  #length = FIXED_BYTES;

  get length(): number {
    return this.#length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32LE(value, this.#length);
  }

  text(value: string): void {
    this.#reserve(4 + value.length * 3);
    const written = this.#bytes.write(value, this.#length + 4, 'utf8');
    this.#bytes.writeUInt32LE(written, this.#length);
    this.#length += 4 + written;
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

/** The fixed part and the head of a batch's record, and what it will contain once the pages follow. */
export function encodeRecord(batch: Batch, sequence: number): { start: Uint8Array; content: RecordContent } {
  const out = new HeadWriter();
  const each = <T>(items: readonly T[], write: (item: T) => void): void => {
    out.u32(items.length);
    for (const item of items) write(item);
  };
  each(batch.dropSpaces, (space) => out.text(space));
  each(batch.sizes, ({ space, pages }) => {
    out.text(space);
    out.u32(pages);
  });
  each(batch.deletes, (key) => out.text(key));
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
    position: start.length + order * PAGE_BYTES,
  }));
  const { dropSpaces, sizes, deletes } = batch;
  return { start, content: { sequence, dropSpaces, sizes, deletes, puts, pages } };
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
    position: start.length + order * PAGE_BYTES,
  }));
  return { sequence: Number(start.readBigUInt64LE(16)), dropSpaces, sizes, deletes, puts, pages };
}
