import type { CanisterLeaves, RequestLeaf, StateDelta, SubnetMetrics } from '@cannery/ic/state-leaves';
import { idKey } from '../state/canister-id.ts';
import { leavesOf } from '../state/committed.ts';
import { decodeState, type StateStore, storeKeys } from '../state/state-store.ts';
import type { SubnetState } from '../state/subnet-state.ts';

/** The whole certified state. `read` holds what is known already of requests, by their ID. */
export function snapshot(
  state: SubnetState,
  store: StateStore,
  read: ReadonlyMap<string, RequestLeaf>,
): StateDelta {
  const requests = [...state.requests.keys()].flatMap((id) => {
    const leaf = read.get(id);
    if (leaf) return [leaf];
    const bytes = store.get(storeKeys.request(id));
    return bytes ? [decodeState<RequestLeaf>(bytes)] : [];
  });
  return {
    canisters: [...state.canisters.values()].map((canister) => leavesOf(canister, true)),
    deleted: [],
    requests,
  };
}

type Item =
  | { readonly kind: 'delta'; readonly sequence: number; readonly delta: StateDelta }
  | {
      readonly kind: 'snapshot';
      readonly sequence: number;
      readonly delta: StateDelta;
      readonly subscription: number;
    };

export type Publication =
  | { readonly kind: 'delta'; readonly delta: StateDelta }
  | { readonly kind: 'snapshot'; readonly delta: StateDelta; readonly subscription: number };

/** Whether a commit changed nothing that is certified, but for figures of the subnet. */
export function isEmpty({ canisters, deleted, requests }: StateDelta): boolean {
  return canisters.length + deleted.length + requests.length === 0;
}

/** Hands on what commits changed, in their order, and only once they are on disk. */
export class Publisher {
  readonly #durable: (sequence: number) => Promise<void>;
  readonly #send: (publication: Publication) => void;
  #pending: Item[] = [];
  #draining: Promise<void> | undefined;
  #lastSequence = 0;
  /** Who wants to know that what was published before is sent. */
  #waiting: (() => void)[] = [];

  constructor(durable: (sequence: number) => Promise<void>, send: (publication: Publication) => void) {
    this.#durable = durable;
    this.#send = send;
  }

  publish(sequence: number, delta: StateDelta): void {
    this.#lastSequence = sequence;
    if (!isEmpty(delta)) this.#add({ kind: 'delta', sequence, delta });
  }

  /** Sends figures that no other change went with. */
  publishFigures(metrics: SubnetMetrics): void {
    const delta = { canisters: [], deleted: [], requests: [], metrics };
    this.#add({ kind: 'delta', sequence: this.#lastSequence, delta });
  }

  /** Sends the whole state to one listener, after all that was published before. */
  publishSnapshot(subscription: number, delta: StateDelta): void {
    this.#add({ kind: 'snapshot', sequence: this.#lastSequence, delta, subscription });
  }

  /** Resolves when everything published so far was sent, however much is published meanwhile. */
  sent(): Promise<void> {
    if (!this.#draining) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when nothing waits to be sent. */
  async flushed(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  #add(item: Item): void {
    this.#pending.push(item);
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
  }

  async #drain(): Promise<void> {
    while (this.#pending.length + this.#waiting.length > 0) {
      const batch = this.#pending;
      const waiting = this.#waiting;
      this.#pending = [];
      this.#waiting = [];
      await this.#durable(batch.at(-1)?.sequence ?? 0);
      let run: StateDelta[] = [];
      for (const item of batch) {
        if (item.kind === 'delta' && item.delta.deleted.length === 0) {
          run.push(item.delta);
          continue;
        }
        this.#sendMerged(run);
        run = [];
        if (item.kind === 'delta') this.#send({ kind: 'delta', delta: item.delta });
        else this.#send({ kind: 'snapshot', delta: item.delta, subscription: item.subscription });
      }
      this.#sendMerged(run);
      for (const resolve of waiting) resolve();
    }
  }

  #sendMerged(deltas: readonly StateDelta[]): void {
    const [first] = deltas;
    if (!first) return;
    this.#send({ kind: 'delta', delta: deltas.length === 1 ? first : merged(deltas) });
  }
}

/** One delta with the newest leaves of each canister and request; none of the deltas deletes anything. */
function merged(deltas: readonly StateDelta[]): StateDelta {
  const canisters = new Map<string, CanisterLeaves>();
  const requests = new Map<string, RequestLeaf>();
  for (const delta of deltas) {
    for (const leaves of delta.canisters) {
      const key = idKey(leaves.canisterId);
      const metadata = leaves.metadata ?? canisters.get(key)?.metadata;
      canisters.set(key, { ...leaves, ...(metadata && { metadata }) });
    }
    for (const leaf of delta.requests) requests.set(idKey(leaf.requestId), leaf);
  }
  const metrics = deltas.findLast((delta) => delta.metrics)?.metrics;
  return {
    canisters: [...canisters.values()],
    deleted: [],
    requests: [...requests.values()],
    ...(metrics && { metrics }),
  };
}
