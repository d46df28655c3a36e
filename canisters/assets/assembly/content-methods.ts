import { PropertyChanges, readArgument, readPropertyChanges, readRequest, Request } from './arguments';
import { Encoding } from './asset';
import * as assets from './assets';
import * as batches from './batches';
import { Bytes, sameBytes, Slice } from './bytes';
import { CandidReader, Fields } from './candid-reader';
import { publish } from './certification';
import { Chunk, Content } from './content';
import { refreshEnvironment } from './environment';
import * as f from './field-ids';
import { COMMIT, requirePermission } from './permissions';
import { now, trap } from './system';
import { replyNothing } from './replies';

function checkHash(expected: Slice | null, actual: Bytes, key: string): void {
  if (expected !== null && !sameBytes(expected.toBytes(), actual)) trap('sha256 mismatch: ' + key);
}

function setContent(request: Request): void {
  const key = request.needKey();
  assets.require(key);
  const chunks: Array<Chunk> = [];
  for (let i = 0; i < request.chunkIds.length; i++) chunks.push(batches.takeChunk(request.chunkIds[i]));
  const last = request.lastChunk;
  if (last !== null) chunks.push(Chunk.store(last));
  if (chunks.length === 0) trap('encoding must have at least one chunk or contain last_chunk: ' + key);
  const content = new Content(chunks);
  const hash = content.hash();
  checkHash(request.hash, hash, key);
  assets.setEncoding(key, new Encoding(request.needContentEncoding(), content, hash, now()));
}

function createAsset(request: Request): void {
  assets.create(request.needKey(), request.needContentType(), request.properties);
}

function applyProperties(reader: CandidReader, type: i32): void {
  const changes = new PropertyChanges();
  readPropertyChanges(reader, type, changes);
  const key = changes.key!;
  assets.setProperties(key, changes.applyTo(assets.require(key).properties));
}

/** Applies one operation of a batch while reading it. */
function applyOperation(reader: CandidReader, type: i32): void {
  const index = reader.variantIndex(type);
  const tag = reader.fieldIds(type)[index];
  const record = reader.fieldTypes(type)[index];
  if (tag === f.TAG_SET_ASSET_PROPERTIES) {
    applyProperties(reader, record);
    return;
  }
  const request = readRequest(reader, record);
  switch (tag) {
    case f.TAG_CREATE_ASSET: createAsset(request); break;
    case f.TAG_SET_ASSET_CONTENT: setContent(request); break;
    case f.TAG_UNSET_ASSET_CONTENT: assets.unsetEncoding(request.needKey(), request.needContentEncoding()); break;
    case f.TAG_DELETE_ASSET: assets.remove(request.needKey()); break;
    case f.TAG_CLEAR: assets.removeAll(); break;
    default: reader.fail('unknown batch operation');
  }
}

/** The end of every method here: what changed is certified, and the caller gets an answer without content. */
function finish(): void {
  assets.certifyChanges();
  publish();
  replyNothing();
}

export function commitBatch(): void {
  requirePermission(COMMIT);
  if (refreshEnvironment()) assets.environmentChanged();
  const reader = readArgument();
  let batch: u64 = 0;
  for (const fields = new Fields(reader, reader.argument()); fields.next(); ) {
    if (fields.id === f.BATCH_ID) {
      batch = reader.nat(fields.type);
    } else if (fields.id === f.OPERATIONS) {
      for (let left = reader.vecLength(fields.type); left > 0; left--) {
        applyOperation(reader, reader.itemType(fields.type));
      }
    } else {
      reader.skip(fields.type);
    }
  }
  batches.endBatch(batch);
  finish();
}

function readOwnRequest(): Request {
  requirePermission(COMMIT);
  const reader = readArgument();
  return readRequest(reader, reader.argument());
}

export function createAssetMethod(): void {
  createAsset(readOwnRequest());
  finish();
}

export function setAssetContentMethod(): void {
  setContent(readOwnRequest());
  finish();
}

export function unsetAssetContentMethod(): void {
  const request = readOwnRequest();
  assets.unsetEncoding(request.needKey(), request.needContentEncoding());
  finish();
}

export function deleteAssetMethod(): void {
  assets.remove(readOwnRequest().needKey());
  finish();
}

export function setAssetPropertiesMethod(): void {
  requirePermission(COMMIT);
  const reader = readArgument();
  applyProperties(reader, reader.argument());
  finish();
}

/** Removes all assets and all unfinished batches. */
export function clearMethod(): void {
  readOwnRequest();
  assets.removeAll();
  batches.endAllBatches();
  finish();
}

/** Creates or changes an asset that fits into one message. */
export function storeMethod(): void {
  const request = readOwnRequest();
  if (refreshEnvironment()) assets.environmentChanged();
  const key = request.needKey();
  const chunk = Chunk.store(request.needContent());
  checkHash(request.hash, chunk.hash, key);
  if (assets.find(key) === null) createAsset(request);
  else assets.setContentType(key, request.needContentType());
  assets.setEncoding(key, new Encoding(request.needContentEncoding(), new Content([chunk]), chunk.hash, now()));
  finish();
}
