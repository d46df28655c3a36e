import { Request } from '../content/arguments';
import * as assets from '../content/assets';
import * as batches from '../content/batches';
import { Bytes, Slice } from '../base/bytes';
import { publish } from '../content/certification';
import { Chunk } from '../content/content';
import { ContentHash } from '../content/content-hash';
import { applyProperties, clear, createAsset, setContent } from '../content/content-changes';
import { refreshEnvironment } from '../base/environment';
import * as f from '../candid/field-ids';
import { Job } from './jobs';
import { Operation, Operations } from './operations';
import { replyNothing } from './replies';
import { certifyChanges } from '../content/routes';
import { setRules } from '../content/rules';

/**
 * Commits a batch: first the bodies of several chunks are hashed, in as many messages as that takes, then all
 * operations take place in one message, or none.
 */
export class CommitJob extends Job {
  private operations: Operations = new Operations(this.source);
  /** By operation: the hash of its content, if that had to be made. */
  private hashes: Array<Bytes | null> = [];
  private hashing: ContentHash | null = null;
  private addedChunks: u64 = 0;
  private addedBytes: u64 = 0;

  /** `source` is the Candid argument, in memory that the job gives back at its end. */
  constructor(private source: Slice) {
    super();
    const batch = batches.find(this.operations.batch);
    if (batch !== null) batches.keep(batch);
  }

  step(): bool {
    const hashing = this.hashing;
    if (hashing !== null) {
      if (!hashing.step()) return false;
      this.hashes.push(hashing.result());
      this.hashing = null;
      return false;
    }
    const operation = this.operations.next();
    if (operation === null) return true;
    if (operation.tag === f.TAG_SET_ASSET_CONTENT) this.prepare(operation.request!);
    else this.hashes.push(null);
    return false;
  }

  private prepare(request: Request): void {
    const last = request.lastChunk;
    if (last !== null) {
      this.addedChunks++;
      this.addedBytes += last.length;
    }
    const parts = request.chunkIds.length + (last === null ? 0 : 1);
    if (parts < 2) {
      this.hashes.push(null);
      return;
    }
    const chunks: Array<Chunk> = [];
    for (let i = 0; i < request.chunkIds.length; i++) chunks.push(batches.chunkOf(request.chunkIds[i]));
    this.hashing = new ContentHash(chunks, last);
  }

  finish(): void {
    batches.checkLimits(this.addedChunks, this.addedBytes);
    if (refreshEnvironment()) assets.environmentChanged();
    const operations = new Operations(this.source);
    let index = 0;
    for (let next = operations.next(); next !== null; next = operations.next()) {
      this.apply(operations, next, this.hashes[index++]);
    }
    batches.endBatch(operations.batch);
    this.abandon();
    certifyChanges();
    publish();
    replyNothing();
  }

  abandon(): void {
    heap.free(this.source.pointer);
  }

  private apply(operations: Operations, operation: Operation, hash: Bytes | null): void {
    const changes = operation.changes;
    if (changes !== null) {
      applyProperties(changes);
      return;
    }
    const rules = operation.rules;
    if (rules !== null) {
      setRules(rules);
      return;
    }
    const request = operation.request!;
    switch (operation.tag) {
      case f.TAG_CREATE_ASSET: createAsset(request); break;
      case f.TAG_SET_ASSET_CONTENT: setContent(request, hash); break;
      case f.TAG_UNSET_ASSET_CONTENT: assets.unsetEncoding(request.needKey(), request.needContentEncoding()); break;
      case f.TAG_DELETE_ASSET: assets.remove(request.needKey()); break;
      case f.TAG_CLEAR: clear(); break;
      default: operations.fail('unknown batch operation');
    }
  }
}
