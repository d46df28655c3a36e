import { Request } from '../content/arguments';
import * as batches from '../content/batches';
import { Bytes, Slice } from '../base/bytes';
import { CandidWriter, Schema } from '../candid/candid-schema';
import { NAT8 } from '../candid/candid-types';
import { updateByChunk } from '../content/content-hash';
import {
  CLEAR, DELETE_ASSET, hashContentHead, hashCreation, hashPropertyChanges, hashRemoval, hashRules, hashTag, UNSET_ASSET_CONTENT,
} from './evidence';
import * as f from '../candid/field-ids';
import { Job } from './jobs';
import { Operation, Operations } from './operations';
import { begin, finish, update } from '../base/sha256';
import { reply } from '../base/system';

function evidenceResult(): Bytes {
  const schema = new Schema();
  return schema.results([schema.opt(schema.vec(NAT8))]);
}

const EVIDENCE_RESULT = evidenceResult();

export function replyEvidence(evidence: Bytes): void {
  const writer = new CandidWriter(EVIDENCE_RESULT);
  writer.some();
  writer.blob(evidence);
  reply(writer);
}

/** Computes the hash over a proposed batch: its operations with all of their content. */
export class EvidenceJob extends Job {
  private operations: Operations = new Operations(this.source);
  /** The operation whose chunks are being hashed, and the next of them. */
  private content: Request | null = null;
  private nextChunk: i32 = 0;

  /** `source` is the proposal, in memory that the job gives back at its end. */
  constructor(
    private batch: u64,
    private source: Slice,
  ) {
    super();
    begin();
  }

  step(): bool {
    const content = this.content;
    if (content !== null) {
      this.hashContent(content);
      return false;
    }
    const operation = this.operations.next();
    if (operation === null) return true;
    this.hashOperation(operation);
    return false;
  }

  private hashContent(request: Request): void {
    if (this.nextChunk < request.chunkIds.length) {
      updateByChunk(batches.chunkOf(request.chunkIds[this.nextChunk++]));
      return;
    }
    const last = request.lastChunk;
    if (last !== null) update(last.pointer, last.length);
    this.content = null;
  }

  private hashOperation(operation: Operation): void {
    const changes = operation.changes;
    if (changes !== null) {
      hashPropertyChanges(changes);
      return;
    }
    const rules = operation.rules;
    if (rules !== null) {
      hashRules(rules);
      return;
    }
    const request = operation.request!;
    switch (operation.tag) {
      case f.TAG_CREATE_ASSET: hashCreation(request.needKey(), request.needContentType(), request.properties); break;
      case f.TAG_SET_ASSET_CONTENT:
        hashContentHead(request.needKey(), request.needContentEncoding(), request.hash);
        this.content = request;
        this.nextChunk = 0;
        break;
      case f.TAG_UNSET_ASSET_CONTENT: hashRemoval(UNSET_ASSET_CONTENT, request); break;
      case f.TAG_DELETE_ASSET: hashRemoval(DELETE_ASSET, request); break;
      case f.TAG_CLEAR: hashTag(CLEAR); break;
      default: this.operations.fail('unknown batch operation');
    }
  }

  finish(): void {
    const evidence = finish();
    batches.setEvidence(batches.require(this.batch), evidence);
    this.abandon();
    replyEvidence(evidence);
  }

  abandon(): void {
    heap.free(this.source.pointer);
  }
}
