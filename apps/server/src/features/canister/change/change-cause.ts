import type { AppContext } from '../../../context.ts';
import type { Tx } from '../../../db/tx.ts';
import type { FaultPoint } from '../../../fault-points.ts';
import type { Actor } from '../../../http/actor.ts';
import type { CodeChange } from './change-store.ts';

/**
 * What a change came to: `upgraded` has the new code, `unchanged` the one of before; `returned` is back at its snapshot;
 * `not returned` could not be put back and runs with what it has; `changed by others` has neither code.
 */
export type Outcome = 'upgraded' | 'unchanged' | 'returned' | 'not returned' | 'changed by others';

/** A change that has come to its end, with the hash of the code that the canister has; null for none. */
export interface Ending {
  readonly change: CodeChange;
  readonly outcome: Outcome;
  readonly hash: string | null;
}

/** Who changes code, and what becomes of a change of theirs once the canister is seen to. */
export interface ChangeCause {
  readonly name: CodeChange['cause'];
  /** As the beginning of a sentence of the log. */
  readonly what: string;
  /** Where a crash is tried. */
  readonly steps: {
    readonly upgrade: 'deploy' | 'upgrade';
    readonly halted: FaultPoint;
    readonly restored: FaultPoint;
    readonly resumed: FaultPoint;
  };
  /** Whether a way back that a crash has cut off is gone on with; else it is dropped, and its user may ask again. */
  readonly resumesReturns: boolean;
  /** Writes down moreover that an upgrade has taken a snapshot. */
  noteTaken(tx: Tx, canisterId: string, snapshotId: string): Promise<void>;
  /** Deletes the snapshots that are of no use any more. */
  tidy(ctx: AppContext, user: Actor, ending: Ending): Promise<void>;
  /** Writes down what has become of the change, or forgets it. */
  settle(tx: Tx, user: Actor, ending: Ending): Promise<void>;
}
