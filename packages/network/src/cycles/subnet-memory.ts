import type { Canister } from '../state/canister.ts';
import type { IdKey } from '../state/canister-id.ts';
import { memoryUsage } from '../state/memory-usage.ts';
import { paidBytes } from './account.ts';

/** Memory used by, or set aside for, all canisters of the subnet. */
export class SubnetMemory {
  readonly #known = new Map<IdKey, bigint>();
  #total = 0n;

  get totalBytes(): bigint {
    return this.#total;
  }

  /** The canister is new, or its memory or settings may have changed. */
  update(canister: Canister): void {
    const bytes = paidBytes(canister.record.settings, memoryUsage(canister));
    this.#total += bytes - (this.#known.get(canister.key) ?? 0n);
    this.#known.set(canister.key, bytes);
  }

  /** The canister was deleted. */
  forget(key: IdKey): void {
    this.#total -= this.#known.get(key) ?? 0n;
    this.#known.delete(key);
  }
}
