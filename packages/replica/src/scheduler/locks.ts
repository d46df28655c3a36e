import type { IdKey } from '../state/canister-id.ts';
import type { Queued } from '../state/message.ts';

interface Lock {
  readonly inFlight: Queued;
  readonly parked: Queued[];
}

/** Canisters with a message in another thread: until its outcome is there, they start no other one. */
export class Locks {
  readonly #locks = new Map<IdKey, Lock>();

  get size(): number {
    return this.#locks.size;
  }

  has(key: IdKey): boolean {
    return this.#locks.has(key);
  }

  /** The message that is being carried out. */
  inFlight(key: IdKey): Queued | undefined {
    return this.#locks.get(key)?.inFlight;
  }

  lock(key: IdKey, inFlight: Queued): void {
    this.#locks.set(key, { inFlight, parked: [] });
  }

  /** Keeps a management call about a locked canister until it is released. */
  park(key: IdKey, queued: Queued): void {
    this.#locks.get(key)?.parked.push(queued);
  }

  /** Unlocks the canister and returns the management calls that waited, in their order. */
  release(key: IdKey): readonly Queued[] {
    const parked = this.#locks.get(key)?.parked ?? [];
    this.#locks.delete(key);
    return parked;
  }
}
