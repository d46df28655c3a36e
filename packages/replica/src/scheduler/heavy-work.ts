import type { ErrorData, RecordedRun } from '../execution/run/recorded-run.ts';
import type { ReplicaError } from '@cannery/ic/errors';
import type { Canister } from '../state/canister.ts';
import type { IdKey } from '../state/canister-id.ts';
import type { Message, Queued } from '../state/message.ts';

/** A message to be carried out in another thread. */
export interface HeavyMessage {
  /** The canister whose state it changes; nothing else may change it meanwhile. */
  readonly canister: Canister;
  /** The queue it came from. */
  readonly owner: IdKey;
  readonly message: Message;
  /** Called when its turn has come; gives the time the message runs at. */
  readonly start: () => bigint;
}

export type HeavyOutcome =
  /** `refusal`: why a module was found unfit. */
  | {
      readonly kind: 'done';
      readonly runs: readonly RecordedRun[];
      readonly refusal: ErrorData | undefined;
    }
  /** The thread took too long, or died. */
  | { readonly kind: 'lost'; readonly error: ReplicaError };

/** Other threads that carry out what needs long. */
export interface HeavyWork {
  /** Calls `done` with the outcome, later; what is done then is one step, and says whether the outcome was kept. */
  submit(message: HeavyMessage, done: (outcome: HeavyOutcome) => boolean): void;
}

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
