import { paidBytes } from '../cycles/account.ts';
import type { SubnetMetrics } from '@cannery/ic/state-leaves';
import type { Canister } from '../state/canister.ts';
import { type IdKey, idKey } from '../state/canister-id.ts';
import type { Committed } from '../state/committed.ts';
import { consumedInAll } from '../state/consumed-cycles.ts';
import type { SubnetState } from '../state/subnet-state.ts';
import { memoryUsage } from '../state/memory-usage.ts';

interface Bytes {
  readonly used: number;
  readonly paid: bigint;
}
const NOTHING: Bytes = { used: 0, paid: 0n };

/** Memory of all canisters of the subnet. */
class SubnetMemory {
  readonly #known = new Map<IdKey, Bytes>();
  #used = 0;
  #total = 0n;

  /** Used by canisters, or set aside for them. */
  get totalBytes(): bigint {
    return this.#total;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** The canister is new, or its memory or settings may have changed. */
  update(canister: Canister): void {
    const used = memoryUsage(canister);
    this.#set(canister.key, { used, paid: paidBytes(canister.record.settings, used) });
  }

  /** The canister was deleted. */
  forget(key: IdKey): void {
    this.#set(key, NOTHING);
    this.#known.delete(key);
  }

  #set(key: IdKey, bytes: Bytes): void {
    const before = this.#known.get(key) ?? NOTHING;
    this.#used += bytes.used - before.used;
    this.#total += bytes.paid - before.paid;
    this.#known.set(key, bytes);
  }
}

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
