import { SubnetMemory } from '../cycles/subnet-memory.ts';
import type { SubnetMetrics } from '@cannery/ic/state-leaves';
import type { Canister } from '../state/canister.ts';
import { type IdKey, idKey } from '../state/canister-id.ts';
import type { Committed } from '../state/committed.ts';
import { consumedInAll } from '../state/consumed-cycles.ts';
import type { SubnetState } from '../state/subnet-state.ts';

/** Figures that nothing else is published with are at most this late. */
const LATE_MS = 1_000;

/** What all canisters together have and have paid, kept up to date with every commit. */
export class SubnetFigures {
  readonly memory = new SubnetMemory();
  readonly #state: SubnetState;
  readonly #consumed = new Map<IdKey, bigint>();
  #consumedCycles = 0n;
  #late: NodeJS.Timeout | undefined;

  constructor(state: SubnetState) {
    this.#state = state;
    for (const canister of state.canisters.values()) this.#update(canister);
  }

  afterCommit({ changed, delta }: Committed): void {
    for (const canister of changed) this.#update(canister);
    for (const id of delta.deleted) this.#forget(idKey(id));
  }

  get metrics(): SubnetMetrics {
    const { canisters, record } = this.#state;
    return {
      canisters: canisters.size,
      stateBytes: this.memory.usedBytes,
      consumedCycles: this.#consumedCycles + record.consumedByDeleted,
      updateTransactions: record.updateTransactions,
    };
  }

  /** Hands the figures to `publish` a second later, and once, however often it is asked meanwhile. */
  later(publish: (metrics: SubnetMetrics) => void): void {
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      publish(this.metrics);
    }, LATE_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#late);
  }

  #update(canister: Canister): void {
    this.memory.update(canister);
    const consumed = consumedInAll(canister.record.consumed);
    this.#consumedCycles += consumed - (this.#consumed.get(canister.key) ?? 0n);
    this.#consumed.set(canister.key, consumed);
  }

  #forget(key: IdKey): void {
    this.memory.forget(key);
    this.#consumedCycles -= this.#consumed.get(key) ?? 0n;
    this.#consumed.delete(key);
  }
}
