import type { Environment } from '../execution/environment.ts';
import { standingAccount } from '../execution/spending.ts';
import type { StateStamp } from '../messages.ts';
import { type IdKey, idKey } from '../state/canister-id.ts';
import type { Committed } from '../state/committed.ts';

/** Canisters that are told apart, 256 KiB of memory. Where more are asked for stamps two may share one: both change it. */
const SLOTS = 65_536;
/** For how long an answer with a stamp may be used, in nanoseconds of network time. */
const STAMP_NANOS = 300_000_000_000n;

/**
 * Counts the changes of canisters in memory that all threads share, so that whoever keeps an answer of one need not ask whether it
 * is still the same. Only the engine thread counts; a canister has a number from the first time that somebody wants a stamp of it.
 */
export class StateStamps {
  readonly #counts: Int32Array<SharedArrayBuffer>;
  readonly #slots = new Map<IdKey, number>();
  #next = 0;

  constructor(buffer = new SharedArrayBuffer(SLOTS * Int32Array.BYTES_PER_ELEMENT)) {
    this.#counts = new Int32Array(buffer);
  }

  /** Hands the counts to another thread. */
  get buffer(): SharedArrayBuffer {
    return this.#counts.buffer;
  }

  isCurrent({ slot, count }: StateStamp): boolean {
    return Atomics.load(this.#counts, slot) === count;
  }

  /** The state of a canister, if it still answers in `STAMP_NANOS` where nothing happens until then but that rent is due. */
  lasting(env: Environment, canisterId: Uint8Array): StateStamp | undefined {
    const canister = env.state.find(canisterId);
    if (!canister) return undefined;
    const { account, balance, exhausted } = standingAccount(env, canister, env.clock.now() + STAMP_NANOS);
    return exhausted || account.isFrozen(balance) ? undefined : this.#of(canister.key);
  }

  /** Whatever changes a canister is a commit: messages, settings, code, snapshots, its status, its deletion. */
  afterCommit({ changed, delta }: Committed): void {
    if (this.#slots.size === 0) return;
    for (const { key } of changed) this.#count(key);
    for (const { canisterId } of delta.canisters) this.#count(idKey(canisterId));
    for (const id of delta.deleted) {
      this.#count(idKey(id));
      this.#slots.delete(idKey(id));
    }
  }

  #of(key: IdKey): StateStamp {
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = this.#next % SLOTS;
      this.#next += 1;
      this.#slots.set(key, slot);
    }
    return { slot, count: Atomics.load(this.#counts, slot) };
  }

  #count(key: IdKey): void {
    const slot = this.#slots.get(key);
    if (slot !== undefined) Atomics.add(this.#counts, slot, 1);
  }
}
