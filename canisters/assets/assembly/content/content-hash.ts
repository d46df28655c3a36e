import { Bytes, Slice } from '../base/bytes';
import { Chunk } from './content';
import { begin, finish, update } from '../base/sha256';
import { readStable } from '../base/stable';

/** How much is read at a time, bytes. */
const STEP: i32 = 65536;

/** Adds a chunk in stable memory to the hash under way. */
export function updateByChunk(chunk: Chunk): void {
  const buffer = heap.alloc(STEP);
  for (let at = 0; at < chunk.size; at += STEP) {
    const step = min(STEP, chunk.size - at);
    readStable(buffer, chunk.offset + at, step);
    update(buffer, step);
  }
  heap.free(buffer);
}

/** The hash of a body of several chunks and perhaps one that still is in the message, made chunk by chunk. */
export class ContentHash {
  private next: i32 = 0;

  constructor(
    private chunks: Array<Chunk>,
    private last: Slice | null,
  ) {
    begin();
  }

  /** Hashes the next chunk; whether that was the last. */
  step(): bool {
    if (this.next < this.chunks.length) {
      updateByChunk(this.chunks[this.next++]);
      return this.next === this.chunks.length && this.last === null;
    }
    const last = this.last;
    if (last !== null) update(last.pointer, last.length);
    return true;
  }

  result(): Bytes {
    return finish();
  }
}
