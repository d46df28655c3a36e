import type { HttpAgent } from '@icp-sdk/core/agent';
import { boundedFetch } from './bounded-fetch.ts';

/** How long a node may be silent while there is another one to ask, in milliseconds. A node answers a call within about ten seconds. */
const SILENT_MS = 20_000;
/** For so long a node that failed is asked after the others, in milliseconds. */
const REST_MS = 30_000;
/** What a gateway answers that has lost what is behind it. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
/** How long a node may take to say that it is there, in milliseconds. */
const UP_TIMEOUT_MS = 1_500;

/** Where a connection never came about, so that nothing of the request can have arrived. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** An agent that asks whichever node answers. */
export type NodeAgent = HttpAgent & { readonly nodes: BoundaryNodes };

interface Sending {
  /** For the last node that can be asked, in milliseconds; the others have less. */
  readonly timeoutMs: number;
  /** Told when another node gets the request after one that may have taken it. */
  readonly onRepeat?: () => void;
}

interface Node {
  readonly url: string;
  /** Steady time in milliseconds until which the others are asked first. */
  restsUntil: number;
}

function ask(address: string, init: RequestInit | undefined, timeoutMs: number): Promise<Response> {
  return boundedFetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) });
}

function isNeverSent(error: unknown): boolean {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return NEVER_SENT.has(cause?.code);
}

/**
 * Addresses of one network. The first that works is asked; where one does not answer, or says that it has lost the network, the next
 * one gets the same request. That is safe for calls, too: the network carries a signed message out once, whichever node it
 * comes by (interface specification, request ids).
 */
export class BoundaryNodes {
  readonly #nodes: readonly Node[];
  readonly #first: string;
  readonly #now: () => number;

  /** @param urls without a slash at the end; one at least. @param now steady time in milliseconds */
  constructor(urls: readonly [string, ...string[]], now: () => number = () => performance.now()) {
    [this.#first] = urls;
    this.#nodes = urls.map((url) => ({ url, restsUntil: 0 }));
    this.#now = now;
  }

  /** Where requests are addressed to; `fetch` sends them to whichever node answers. */
  get host(): string {
    return this.#first;
  }

  /**
   * @param input an address that begins with `host`
   * @throws what the last node ends with; RangeError for an answer that is too long, whichever sends it
   */
  async fetch(
    input: RequestInfo | URL,
    init: RequestInit | undefined,
    { timeoutMs, onRepeat }: Sending,
  ): Promise<Response> {
    const path = String(input instanceof Request ? input.url : input).slice(this.#first.length);
    const nodes = this.#inOrder();
    for (const node of nodes.slice(0, -1)) {
      try {
        const answer = await ask(node.url + path, init, Math.min(SILENT_MS, timeoutMs));
        if (!AWAY.has(answer.status)) return answer;
        onRepeat?.();
      } catch (error) {
        if (error instanceof RangeError) throw error;
        if (!isNeverSent(error)) onRepeat?.();
      }
      node.restsUntil = this.#now() + REST_MS;
    }
    return ask((nodes.at(-1)?.url ?? this.#first) + path, init, timeoutMs);
  }

  /** Whether any of them answers its status. */
  async isUp(): Promise<boolean> {
    const answers = this.#nodes.map(async ({ url }) => {
      const response = await fetch(`${url}/api/v2/status`, { signal: AbortSignal.timeout(UP_TIMEOUT_MS) });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
    });
    return Promise.any(answers).then(
      () => true,
      () => false,
    );
  }

  /** Those that have failed of late come last, and of them first the one that failed longest ago. */
  #inOrder(): readonly Node[] {
    const now = this.#now();
    const restOf = ({ restsUntil }: Node): number => Math.max(0, restsUntil - now);
    return this.#nodes.toSorted((one, other) => restOf(one) - restOf(other));
  }
}
