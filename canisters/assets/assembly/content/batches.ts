import { ByteReader } from '../base/byte-reader';
import { Bytes, Slice } from '../base/bytes';
import { Chunk } from './content';
import * as journal from '../base/journal';
import { HASH_SIZE } from '../base/sha256';
import { maxBatches, maxBytes, maxChunks } from './settings';
import { now, trap } from '../base/system';

/** A batch is forgotten so long after its last change, nanoseconds (`BATCH_EXPIRY_NANOS` of the reference canister). */
const LIFETIME: i64 = 300_000_000_000;

export class Batch {
  /** Nanoseconds since 1970. */
  expires: i64 = now() + LIFETIME;
  /** Bytes of all chunks it ever got. */
  size: u64 = 0;
  /** The Candid argument it is to be committed with, once proposed. */
  proposal: Chunk | null = null;
  /** The hash of the proposal, once computed. */
  evidence: Bytes | null = null;

  constructor(readonly id: u64) {}

  /** Batches whose evidence somebody votes on live until they are committed or deleted. */
  get expired(): bool {
    return this.evidence === null && this.expires <= now();
  }
}

class UploadedChunk {
  constructor(
    readonly batch: u64,
    readonly chunk: Chunk,
  ) {}
}

const batches: Map<u64, Batch> = new Map();
const chunks: Map<u64, UploadedChunk> = new Map();
let nextBatch: u64 = 1;
let nextChunk: u64 = 1;

export function find(id: u64): Batch | null {
  return batches.has(id) ? batches.get(id) : null;
}

export function require(id: u64): Batch {
  if (!batches.has(id)) trap('batch not found: ' + id.toString());
  return batches.get(id);
}

/** @throws (traps) while a batch is proposed, so that what is voted on cannot be overtaken, and above the limit. */
export function createBatch(): u64 {
  forgetExpired();
  const all = batches.values();
  for (let i = 0; i < all.length; i++) refuseProposed(all[i]);
  if (!maxBatches.allows(<u64>all.length + 1)) trap('batch limit exceeded');
  const batch = new Batch(nextBatch++);
  batches.set(batch.id, batch);
  recordBatch(batch);
  return batch.id;
}

function refuseProposed(batch: Batch): void {
  if (batch.proposal === null) return;
  const name = 'Batch ' + batch.id.toString();
  trap(
    batch.evidence !== null
      ? name + ' is already proposed.  Delete or execute it to propose another.'
      : name + ' has not completed evidence computation.  Wait for it to expire or delete it to propose another.',
  );
}

function forgetExpired(): void {
  const all = batches.values();
  for (let i = 0; i < all.length; i++) {
    if (all[i].expired) endBatch(all[i].id);
  }
}

/** Traps if this many more chunks and bytes are above what `configure` allows. */
export function checkLimits(count: u64, bytes: u64): void {
  if (!maxChunks.allows(<u64>chunks.size + count)) trap('chunk limit exceeded');
  if (!maxBytes.present) return;
  let total = bytes;
  const all = batches.values();
  for (let i = 0; i < all.length; i++) total += all[i].size;
  if (!maxBytes.allows(total)) trap('byte limit exceeded');
}

/** Adds chunks to a batch and gives the id of the first; the others follow it. */
export function addChunks(id: u64, contents: Array<Slice>): u64 {
  const batch = require(id);
  if (batch.proposal !== null) trap('batch ' + id.toString() + ' has been proposed');
  let bytes: u64 = 0;
  for (let i = 0; i < contents.length; i++) bytes += contents[i].length;
  checkLimits(contents.length, bytes);
  const first = nextChunk;
  for (let i = 0; i < contents.length; i++) {
    const uploaded = new UploadedChunk(id, Chunk.store(contents[i]));
    chunks.set(nextChunk, uploaded);
    recordChunk(nextChunk++, uploaded);
  }
  batch.size += bytes;
  keep(batch);
  return first;
}

/** Puts the end of a batch off. */
export function keep(batch: Batch): void {
  batch.expires = now() + LIFETIME;
  recordBatch(batch);
}

export function chunkOf(id: u64): Chunk {
  if (!chunks.has(id)) trap('chunk not found: ' + id.toString());
  return chunks.get(id).chunk;
}

/** Hands a chunk over to the asset it becomes part of. */
export function takeChunk(id: u64): Chunk {
  const chunk = chunkOf(id);
  chunks.delete(id);
  journal.record(journal.CHUNK_GONE).u64(id);
  return chunk;
}

export function propose(id: u64, argument: Slice): void {
  const batch = require(id);
  if (batch.proposal !== null) trap('batch ' + id.toString() + ' already has proposed CommitBatchArguments');
  batch.proposal = Chunk.store(argument);
  recordProposal(batch);
}

export function setEvidence(batch: Batch, evidence: Bytes): void {
  batch.evidence = evidence;
  recordEvidence(batch);
}

/** Forgets a batch and frees the chunks that no asset took. */
export function endBatch(id: u64): void {
  const batch = find(id);
  if (batch === null) return;
  const proposal = batch.proposal;
  if (proposal !== null) proposal.free();
  batches.delete(id);
  journal.record(journal.BATCH_GONE).u64(id);
  const ids = chunks.keys();
  for (let i = 0; i < ids.length; i++) {
    if (chunks.get(ids[i]).batch === id) takeChunk(ids[i]).free();
  }
}

export function endAllBatches(): void {
  const ids = batches.keys();
  for (let i = 0; i < ids.length; i++) endBatch(ids[i]);
}

function recordBatch(batch: Batch): void {
  const writer = journal.record(journal.BATCH);
  writer.u64(batch.id);
  writer.u64(batch.expires);
  writer.u64(batch.size);
}

function recordChunk(id: u64, uploaded: UploadedChunk): void {
  const writer = journal.record(journal.CHUNK);
  writer.u64(id);
  writer.u64(uploaded.batch);
  uploaded.chunk.save(writer);
}

function recordProposal(batch: Batch): void {
  const writer = journal.record(journal.PROPOSAL);
  writer.u64(batch.id);
  batch.proposal!.save(writer);
}

function recordEvidence(batch: Batch): void {
  const writer = journal.record(journal.EVIDENCE);
  writer.u64(batch.id);
  writer.bytes(batch.evidence!);
}

export function recordBatches(): void {
  const ids = journal.record(journal.NEXT_IDS);
  ids.u64(nextBatch);
  ids.u64(nextChunk);
  const all = batches.values();
  for (let i = 0; i < all.length; i++) {
    recordBatch(all[i]);
    if (all[i].proposal !== null) recordProposal(all[i]);
    if (all[i].evidence !== null) recordEvidence(all[i]);
  }
  const chunkIds = chunks.keys();
  for (let i = 0; i < chunkIds.length; i++) recordChunk(chunkIds[i], chunks.get(chunkIds[i]));
}

/** Reads a record of this module; `false` for one of another. */
export function restoreBatches(kind: u8, reader: ByteReader): bool {
  if (kind < journal.BATCH || kind > journal.NEXT_IDS) return false;
  const id = reader.u64();
  switch (kind) {
    case journal.BATCH: {
      const known = find(id);
      const batch = known === null ? new Batch(id) : known;
      batch.expires = reader.u64();
      batch.size = reader.u64();
      batches.set(id, batch);
      nextBatch = max(nextBatch, id + 1);
      break;
    }
    case journal.BATCH_GONE: batches.delete(id); break;
    case journal.CHUNK: {
      const batch = reader.u64();
      chunks.set(id, new UploadedChunk(batch, Chunk.restore(reader)));
      nextChunk = max(nextChunk, id + 1);
      break;
    }
    case journal.CHUNK_GONE: chunks.delete(id); break;
    case journal.PROPOSAL: require(id).proposal = Chunk.restore(reader); break;
    case journal.EVIDENCE: require(id).evidence = reader.slice(HASH_SIZE).toBytes(); break;
    default:
      nextBatch = max(nextBatch, id);
      nextChunk = max(nextChunk, reader.u64());
  }
  return true;
}

/** What batches hold of stable memory: chunks that no asset has taken yet, and proposals. */
export function pendingChunks(): Array<Chunk> {
  const pending: Array<Chunk> = [];
  const uploaded = chunks.values();
  for (let i = 0; i < uploaded.length; i++) pending.push(uploaded[i].chunk);
  const all = batches.values();
  for (let i = 0; i < all.length; i++) {
    const proposal = all[i].proposal;
    if (proposal !== null) pending.push(proposal);
  }
  return pending;
}
