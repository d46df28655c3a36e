import { INGRESS_HISTORY_NANOS } from '../limits.ts';
import type { RequestLeaf } from '../messages.ts';

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

  set(requestIdHex: string, request: KnownRequest): void {
    this.#replyBytes += request.replyBytes - (this.#known.get(requestIdHex)?.replyBytes ?? 0);
    this.#known.set(requestIdHex, request);
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

  /**
   * Forgets finished requests whose time is over and names them, so that the store can drop them; `onGone` gets the expiry
   * of each.
   */
  expire(nowNanos: bigint, onGone?: (expiryNanos: bigint) => void): string[] {
    const gone: string[] = [];
    for (const [id, request] of this.#known) {
      if (!request.finished || request.expiryNanos + INGRESS_HISTORY_NANOS >= nowNanos) continue;
      gone.push(id);
      onGone?.(request.expiryNanos);
    }
    for (const id of gone) {
      this.#replyBytes -= this.#known.get(id)?.replyBytes ?? 0;
      this.#known.delete(id);
    }
    return gone;
  }
}
