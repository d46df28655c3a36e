import { INGRESS_HISTORY_NANOS } from '../limits.ts';
import type { RequestLeaf } from '../messages.ts';

/** What memory keeps of a request; the status itself, with a reply of up to 2 MiB, stays in the store. */
export interface KnownRequest extends Omit<RequestLeaf, 'status'> {
  readonly finished: boolean;
}

export function isFinished({ status }: RequestLeaf): boolean {
  return status.status === 'replied' || status.status === 'rejected';
}

/** Request IDs of the recent past: lets a repeated request be answered without running it twice. */
export class IngressHistory {
  readonly #known = new Map<string, KnownRequest>();

  get(requestIdHex: string): KnownRequest | undefined {
    return this.#known.get(requestIdHex);
  }

  set(requestIdHex: string, request: KnownRequest): void {
    this.#known.set(requestIdHex, request);
  }

  keys(): Iterable<string> {
    return this.#known.keys();
  }

  /** Forgets finished requests whose time is over and names them, so that the store can drop them. */
  expire(nowNanos: bigint): string[] {
    const gone: string[] = [];
    for (const [id, request] of this.#known) {
      if (request.finished && request.expiryNanos + INGRESS_HISTORY_NANOS < nowNanos) gone.push(id);
    }
    for (const id of gone) this.#known.delete(id);
    return gone;
  }
}
