import { readArgument, readRequest } from './arguments';
import * as batches from './batches';
import { NAT } from './candid-types';
import { CandidWriter, Schema } from './candid-schema';
import { Fields } from './candid-reader';
import * as f from './field-ids';
import { PREPARE, requirePermission } from './permissions';
import { replyNothing } from './replies';
import { reply } from './system';
import { Bytes, Slice } from './bytes';

function natRecord(id: u32): Bytes {
  const schema = new Schema();
  return schema.results([schema.record([id], [NAT])]);
}

function natsRecord(id: u32): Bytes {
  const schema = new Schema();
  const nats = schema.vec(NAT);
  return schema.results([schema.record([id], [nats])]);
}

const BATCH_RESULT = natRecord(f.BATCH_ID);
const CHUNK_RESULT = natRecord(f.CHUNK_ID);
const CHUNKS_RESULT = natsRecord(f.CHUNK_IDS);

export function createBatchMethod(): void {
  requirePermission(PREPARE);
  const writer = new CandidWriter(BATCH_RESULT);
  writer.uleb(batches.createBatch());
  reply(writer);
}

export function createChunkMethod(): void {
  requirePermission(PREPARE);
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const writer = new CandidWriter(CHUNK_RESULT);
  writer.uleb(batches.addChunk(request.needBatch(), request.needContent()));
  reply(writer);
}

export function createChunksMethod(): void {
  requirePermission(PREPARE);
  const reader = readArgument();
  const contents: Array<Slice> = [];
  let hasBatch = false;
  let batch: u64 = 0;
  for (const fields = new Fields(reader, reader.argument()); fields.next(); ) {
    if (fields.id === f.BATCH_ID) {
      batch = reader.nat(fields.type);
      hasBatch = true;
    } else if (fields.id === f.CONTENT) {
      for (let left = reader.vecLength(fields.type); left > 0; left--) {
        contents.push(reader.blob(reader.itemType(fields.type)));
      }
    } else {
      reader.skip(fields.type);
    }
  }
  if (!hasBatch) reader.fail('field batch_id is missing');
  const writer = new CandidWriter(CHUNKS_RESULT);
  writer.uleb(contents.length);
  for (let i = 0; i < contents.length; i++) writer.uleb(batches.addChunk(batch, contents[i]));
  reply(writer);
}

export function deleteBatchMethod(): void {
  requirePermission(PREPARE);
  const reader = readArgument();
  batches.deleteBatch(readRequest(reader, reader.argument()).needBatch());
  replyNothing();
}
