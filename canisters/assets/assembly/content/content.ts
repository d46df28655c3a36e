import { ByteReader } from '../base/byte-reader';
import { ByteWriter } from '../base/byte-writer';
import { Bytes, Slice } from '../base/bytes';
import { HASH_SIZE, sha256 } from '../base/sha256';
import { allocate, readStable, release, writeStable } from '../base/stable';

/**
 * How much of a body one answer carries, bytes. Queries may answer with 2 MB; headers and Candid need the rest. The
 * usual clients (icp-cli, dfx, AssetManager) upload in chunks of this size.
 */
export const PIECE_SIZE: u64 = 1_900_000;

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

  static restore(reader: ByteReader): Chunk {
    const offset = reader.u64();
    const size = reader.u32();
    return new Chunk(offset, size, reader.slice(HASH_SIZE).toBytes());
  }

  save(writer: ByteWriter): void {
    writer.u64(this.offset);
    writer.u32(this.size);
    writer.bytes(this.hash);
  }

  /** A copy of the bytes, in memory that `heap.free` gives back. */
  load(): Slice {
    const copy = heap.alloc(this.size);
    readStable(copy, this.offset, this.size);
    return new Slice(copy, this.size);
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
    for (let i = 0; i < chunks.length; i++) chunks[i] = Chunk.restore(reader);
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

  /** Whether each piece is one chunk, so that the hashes of the pieces are known. */
  get inPieces(): bool {
    const last = this.chunks.length - 1;
    for (let i = 0; i < last; i++) {
      if (<u64>this.chunks[i].size !== PIECE_SIZE) return false;
    }
    return last >= 0 && <u64>this.chunks[last].size <= PIECE_SIZE;
  }
}
