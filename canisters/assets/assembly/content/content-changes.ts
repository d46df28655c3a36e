import { PropertyChanges, Request } from './arguments';
import { Encoding } from './asset';
import * as assets from './assets';
import * as batches from './batches';
import { Bytes, sameBytes, Slice } from '../base/bytes';
import { Chunk, Content } from './content';
import { ContentHash } from './content-hash';
import { setRules } from './rules';
import { now, trap } from '../base/system';

export function checkHash(expected: Slice | null, actual: Bytes, key: string): void {
  if (expected !== null && !sameBytes(expected.toBytes(), actual)) trap('sha256 mismatch: ' + key);
}

export function createAsset(request: Request): void {
  assets.create(request.needKey(), request.needContentType(), request.properties);
}

/** Gives an asset the content of uploaded chunks; `known` is its hash if that was made already. */
export function setContent(request: Request, known: Bytes | null): void {
  const key = request.needKey();
  assets.require(key);
  const chunks: Array<Chunk> = [];
  for (let i = 0; i < request.chunkIds.length; i++) chunks.push(batches.takeChunk(request.chunkIds[i]));
  const last = request.lastChunk;
  if (last !== null) chunks.push(Chunk.store(last));
  if (chunks.length === 0) trap('encoding must have at least one chunk or contain last_chunk: ' + key);
  const hash = known !== null ? known : hashOf(chunks);
  checkHash(request.hash, hash, key);
  assets.setEncoding(key, new Encoding(request.needContentEncoding(), new Content(chunks), hash, now()));
}

function hashOf(chunks: Array<Chunk>): Bytes {
  if (chunks.length === 1) return chunks[0].hash;
  const hash = new ContentHash(chunks, null);
  while (!hash.step()) {}
  return hash.result();
}

/** Removes all assets and redirect rules. */
export function clear(): void {
  assets.removeAll();
  setRules([]);
}

export function applyProperties(changes: PropertyChanges): void {
  const key = changes.key!;
  assets.setProperties(key, changes.applyTo(assets.require(key).properties));
}
