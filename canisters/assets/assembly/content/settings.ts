import { ByteReader } from '../base/byte-reader';
import { ByteWriter } from '../base/byte-writer';
import { record, SETTINGS } from '../base/journal';
import { now } from '../base/system';

/** `opt nat64` */
export class Limit {
  present: bool = false;
  value: u64 = 0;

  allows(count: u64): bool {
    return !this.present || count <= this.value;
  }

  save(writer: ByteWriter): void {
    writer.u8(this.present ? 1 : 0);
    writer.u64(this.value);
  }

  load(reader: ByteReader): void {
    this.present = reader.u8() === 1;
    this.value = reader.u64();
  }
}

/** What `configure` limits: batches at a time, chunks that wait to be committed, bytes of batches. */
export const maxBatches: Limit = new Limit();
export const maxChunks: Limit = new Limit();
export const maxBytes: Limit = new Limit();

/** Nanoseconds since 1970. */
let lastUpdate: u64 = 0;
/** Counts the changes of content since the canister was started. */
let version: u64 = 0;

/** Takes note that content or properties of assets changed. */
export function contentChanged(): void {
  lastUpdate = now();
  version++;
  recordSettings();
}

export function lastContentChange(): u64 {
  return lastUpdate;
}

export function contentVersion(): u64 {
  return version;
}

export function recordSettings(): void {
  const writer = record(SETTINGS);
  writer.u64(lastUpdate);
  maxBatches.save(writer);
  maxChunks.save(writer);
  maxBytes.save(writer);
}

export function restoreSettings(reader: ByteReader): void {
  lastUpdate = reader.u64();
  maxBatches.load(reader);
  maxChunks.load(reader);
  maxBytes.load(reader);
}
