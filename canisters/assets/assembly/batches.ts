import { ByteReader } from './byte-reader';
import { ByteWriter } from './byte-writer';
import { Slice } from './bytes';
import { Chunk } from './content';
import { now, trap } from './system';

/** A batch is forgotten this long after its last change, nanoseconds (5 minutes, as in the reference canister). */
const LIFETIME: i64 = 300_000_000_000;

class UploadedChunk {
  constructor(
    readonly batch: u64,
    readonly chunk: Chunk,
  ) {}
}

/** Batch id to the time it expires. */
const batches: Map<u64, i64> = new Map();
const chunks: Map<u64, UploadedChunk> = new Map();
let nextBatch: u64 = 1;
let nextChunk: u64 = 1;

export function createBatch(): u64 {
  forgetExpired();
  const id = nextBatch++;
  batches.set(id, now() + LIFETIME);
  return id;
}

function forgetExpired(): void {
  const ids = batches.keys();
  for (let i = 0; i < ids.length; i++) {
    if (batches.get(ids[i]) <= now()) endBatch(ids[i]);
  }
}

export function addChunk(batch: u64, content: Slice): u64 {
  if (!batches.has(batch)) trap('batch not found: ' + batch.toString());
  batches.set(batch, now() + LIFETIME);
  const id = nextChunk++;
  chunks.set(id, new UploadedChunk(batch, Chunk.store(content)));
  return id;
}

/** Hands a chunk over to the asset it becomes part of. */
export function takeChunk(id: u64): Chunk {
  if (!chunks.has(id)) trap('chunk not found: ' + id.toString());
  const chunk = chunks.get(id).chunk;
  chunks.delete(id);
  return chunk;
}

export function deleteBatch(batch: u64): void {
  if (!batches.has(batch)) trap('batch not found: ' + batch.toString());
  endBatch(batch);
}

/** Forgets a batch and frees the chunks that no asset took. */
export function endBatch(batch: u64): void {
  batches.delete(batch);
  const ids = chunks.keys();
  for (let i = 0; i < ids.length; i++) {
    const uploaded = chunks.get(ids[i]);
    if (uploaded.batch !== batch) continue;
    uploaded.chunk.free();
    chunks.delete(ids[i]);
  }
}

export function endAllBatches(): void {
  const ids = batches.keys();
  for (let i = 0; i < ids.length; i++) endBatch(ids[i]);
}

export function saveBatches(writer: ByteWriter): void {
  writer.u64(nextBatch);
  writer.u64(nextChunk);
  const batchIds = batches.keys();
  writer.u32(batchIds.length);
  for (let i = 0; i < batchIds.length; i++) {
    writer.u64(batchIds[i]);
    writer.u64(batches.get(batchIds[i]));
  }
  const chunkIds = chunks.keys();
  writer.u32(chunkIds.length);
  for (let i = 0; i < chunkIds.length; i++) {
    const uploaded = chunks.get(chunkIds[i]);
    writer.u64(chunkIds[i]);
    writer.u64(uploaded.batch);
    uploaded.chunk.save(writer);
  }
}

export function loadBatches(reader: ByteReader): void {
  nextBatch = reader.u64();
  nextChunk = reader.u64();
  for (let left = reader.u32(); left > 0; left--) {
    const id = reader.u64();
    batches.set(id, reader.u64());
  }
  for (let left = reader.u32(); left > 0; left--) {
    const id = reader.u64();
    const batch = reader.u64();
    chunks.set(id, new UploadedChunk(batch, Chunk.load(reader)));
  }
}

/** All chunks that no asset has taken yet. */
export function pendingChunks(): Array<Chunk> {
  const pending: Array<Chunk> = [];
  const uploaded = chunks.values();
  for (let i = 0; i < uploaded.length; i++) pending.push(uploaded[i].chunk);
  return pending;
}
