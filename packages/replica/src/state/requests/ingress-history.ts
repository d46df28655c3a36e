import { INGRESS_HISTORY_NANOS } from '@cannery/ic/limits';
import type { RequestLeaf } from '@cannery/ic/state-leaves';
import type { UndoLog } from '../undo-log.ts';

/** What memory keeps of a request; the status itself, with a reply of up to 2 MiB, stays in the store. */
export interface KnownRequest extends Omit<RequestLeaf, 'status'> {
  readonly finished: boolean;
  readonly replyBytes: number;
}

/** What memory keeps of a request with this status. */
export function knownRequest({ status, ...request }: RequestLeaf): KnownRequest {
  return {
    ...request,
    finished: status.status !== 'received' && status.status !== 'processing',
    replyBytes: status.status === 'replied' ? status.reply.length : 0,
  };
}

/** Request IDs of the recent past: lets a repeated request be answered without running it twice. */
export class IngressHistory {
  /** In order of arrival. */
  readonly #known = new Map<string, KnownRequest>();
  #replyBytes = 0;

  /** Requests known, answered or not. */
  get size(): number {
    return this.#known.size;
  }

  get(requestIdHex: string): KnownRequest | undefined {
    return this.#known.get(requestIdHex);
  }

  /** Takes in what is stored, which no transaction changes. */
  load(requestIdHex: string, request: KnownRequest): void {
    this.#known.set(requestIdHex, request);
    this.#replyBytes += request.replyBytes;
  }

  set(undo: UndoLog, requestIdHex: string, request: KnownRequest): void {
    this.#addBytes(undo, request.replyBytes - (this.#known.get(requestIdHex)?.replyBytes ?? 0));
    undo.set(this.#known, requestIdHex, request);
  }

  /** Forgets a request; true when it was known. */
  forget(undo: UndoLog, requestIdHex: string): boolean {
    this.#addBytes(undo, -(this.#known.get(requestIdHex)?.replyBytes ?? 0));
    return undo.delete(this.#known, requestIdHex);
  }

  keys(): Iterable<string> {
    return this.#known.keys();
  }

  /** The oldest requests whose replies have to go so that the rest takes no more than `limit` bytes. */
  beyond(limit: number): KnownRequest[] {
    const found: KnownRequest[] = [];
    let bytes = this.#replyBytes;
    if (bytes <= limit) return found;
    for (const request of this.#known.values()) {
      if (bytes <= limit) break;
      if (request.replyBytes === 0) continue;
      found.push(request);
      bytes -= request.replyBytes;
    }
    return found;
  }

  /** Finished requests whose time is over. */
  expired(nowNanos: bigint): string[] {
    const over: string[] = [];
    for (const [id, { finished, expiryNanos }] of this.#known)
      if (finished && expiryNanos + INGRESS_HISTORY_NANOS < nowNanos) over.push(id);
    return over;
  }

  #addBytes(undo: UndoLog, bytes: number): void {
    if (bytes === 0) return;
    this.#replyBytes += bytes;
    undo.note(() => {
      this.#replyBytes -= bytes;
    });
  }
}
