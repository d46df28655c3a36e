import { readArgument, readRequest } from '../content/arguments';
import * as batches from '../content/batches';
import { Bytes, hex, sameBytes, Slice } from '../base/bytes';
import { NAT } from '../candid/candid-types';
import { Fields } from '../candid/candid-reader';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { CommitJob } from './commit-job';
import * as f from '../candid/field-ids';
import { run } from './jobs';
import { Operations } from './operations';
import { COMMIT, PREPARE, requirePermission } from '../content/permissions';
import { replyNothing } from './replies';
import { keptArgument, reply, trap } from '../base/system';

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
  writer.uleb(batches.addChunks(request.needBatch(), [request.needContent()]));
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
  const first = batches.addChunks(batch, contents);
  const writer = new CandidWriter(CHUNKS_RESULT);
  writer.uleb(contents.length);
  for (let i = 0; i < contents.length; i++) writer.uleb(first + i);
  reply(writer);
}

export function commitBatchMethod(): void {
  requirePermission(COMMIT);
  run(new CommitJob(keptArgument()));
}

/** Keeps the operations for a vote; they are committed by `commit_proposed_batch`. */
export function proposeCommitBatchMethod(): void {
  requirePermission(PREPARE);
  const argument = keptArgument();
  batches.propose(new Operations(argument).batch, argument);
  heap.free(argument.pointer);
  replyNothing();
}

/** Why a batch cannot be committed with this evidence; `null` if it can. */
export function proposalProblem(id: u64, evidence: Bytes): string | null {
  const batch = batches.find(id);
  if (batch === null) return 'batch not found';
  if (batch.proposal === null) return 'batch does not have CommitBatchArguments';
  const computed = batch.evidence;
  if (computed === null) return 'batch does not have computed evidence';
  if (sameBytes(computed, evidence)) return null;
  return 'batch computed evidence ' + hex(computed) + ' does not match presented evidence ' + hex(evidence);
}

export function commitProposedBatchMethod(): void {
  requirePermission(COMMIT);
  const reader = readArgument();
  const request = readRequest(reader, reader.argument());
  const id = request.needBatch();
  const problem = proposalProblem(id, request.needEvidence());
  if (problem !== null) trap(problem);
  run(new CommitJob(batches.require(id).proposal!.load()));
}

export function deleteBatchMethod(): void {
  requirePermission(PREPARE);
  const reader = readArgument();
  const id = readRequest(reader, reader.argument()).needBatch();
  batches.require(id);
  batches.endBatch(id);
  replyNothing();
}
