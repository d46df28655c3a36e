import type { Canister } from '../state/canister.ts';
import type { IdKey } from '../state/canister-id.ts';
import { memoryUsage } from '../state/memory-usage.ts';
import { paidBytes } from './account.ts';

interface Bytes {
  readonly used: number;
  readonly paid: bigint;
}
const NOTHING: Bytes = { used: 0, paid: 0n };

/** Memory of all canisters of the subnet. */
export class SubnetMemory {
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
