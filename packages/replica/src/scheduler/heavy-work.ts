import type { ErrorData, RecordedRun } from '../execution/run/recorded-run.ts';
import type { ReplicaError } from '@cannery/ic/errors';
import type { Canister } from '../state/canister.ts';
import type { IdKey } from '../state/canister-id.ts';
import type { Message } from '../state/message.ts';

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
