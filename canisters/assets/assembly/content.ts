import { ByteReader } from './byte-reader';
import { ByteWriter } from './byte-writer';
import { Bytes, Slice } from './bytes';
import { finish, begin, HASH_SIZE, sha256, update } from './sha256';
import { allocate, release } from './space';
import { readStable, writeStable } from './stable';

/** How much of a body one answer carries, bytes. Queries may answer with 2 MB; headers and Candid need the rest. */
export const PIECE_SIZE: u64 = 1_900_000;
/** How much is hashed at a time, bytes. */
const HASH_STEP: i32 = 65536;

/** One uploaded run of bytes in stable memory, with its hash. */
export class Chunk {
  constructor(
    readonly offset: u64,
    readonly size: i32,
    readonly hash: Bytes,
  ) {}

  static store(content: Slice): Chunk {
    const offset = allocate(content.length);
    writeStable(offset, content.pointer, content.length);
    return new Chunk(offset, content.length, sha256(content.pointer, content.length));
  }

  static load(reader: ByteReader): Chunk {
    const offset = reader.u64();
    const size = reader.u32();
    return new Chunk(offset, size, reader.slice(HASH_SIZE).toBytes());
  }

  save(writer: ByteWriter): void {
    writer.u64(this.offset);
    writer.u32(this.size);
    writer.bytes(this.hash);
  }

  free(): void {
    release(this.offset, this.size);
  }
}

/** A body: chunks one after the other, read in pieces whose borders need not be those of the chunks. */
export class Content {
  readonly length: u64;

  constructor(readonly chunks: Array<Chunk>) {
    let length: u64 = 0;
    for (let i = 0; i < chunks.length; i++) length += chunks[i].size;
    this.length = length;
  }

  static load(reader: ByteReader): Content {
    const chunks = new Array<Chunk>(reader.u32());
    for (let i = 0; i < chunks.length; i++) chunks[i] = Chunk.load(reader);
    return new Content(chunks);
  }

  save(writer: ByteWriter): void {
    writer.u32(this.chunks.length);
    for (let i = 0; i < this.chunks.length; i++) this.chunks[i].save(writer);
  }

  free(): void {
    for (let i = 0; i < this.chunks.length; i++) this.chunks[i].free();
  }

  get pieces(): u64 {
    return this.length === 0 ? 1 : (this.length + PIECE_SIZE - 1) / PIECE_SIZE;
  }

  pieceSize(index: u64): i32 {
    return <i32>min(PIECE_SIZE, this.length - index * PIECE_SIZE);
  }

  /** Copies a piece to `target`, which has room for `pieceSize(index)` bytes. */
  readPiece(index: u64, target: usize): void {
    let from = index * PIECE_SIZE;
    let left: u64 = this.pieceSize(index);
    let at = target;
    for (let i = 0; left > 0; i++) {
      const chunk = this.chunks[i];
      if (from >= <u64>chunk.size) {
        from -= chunk.size;
        continue;
      }
      const taken = min(left, <u64>chunk.size - from);
      readStable(at, chunk.offset + from, <i32>taken);
      at += <usize>taken;
      left -= taken;
      from = 0;
    }
  }

  hash(): Bytes {
    if (this.chunks.length === 1) return this.chunks[0].hash;
    const buffer = heap.alloc(HASH_STEP);
    begin();
    for (let i = 0; i < this.chunks.length; i++) {
      const chunk = this.chunks[i];
      for (let at = 0; at < chunk.size; at += HASH_STEP) {
        const step = min(HASH_STEP, chunk.size - at);
        readStable(buffer, chunk.offset + at, step);
        update(buffer, step);
      }
    }
    heap.free(buffer);
    return finish();
  }
}
