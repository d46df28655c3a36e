import type { CanisterLeaves, StateDelta } from '@cannery/ic/state-leaves';
import type { Canister } from './canister.ts';
import type { IdKey } from './canister-id.ts';
import type { Outcall } from './outcall.ts';

/** A call that was sent with a time to wait for its answer. */
export interface BoundedCall {
  readonly canister: Canister;
  readonly callback: number;
  readonly deadlineNanos: bigint;
}

/** What others have to know of a transaction that was committed. */
export interface Committed {
  readonly sequence: number;
  /** Modules and chunks that somebody no longer uses; others may. */
  readonly releasedBlobs: readonly string[];
  readonly delta: StateDelta;
  /** Queues that received a message: they have work now. */
  readonly woken: readonly IdKey[];
  /** Canisters whose record changed: timers and hooks may be due. */
  readonly changed: readonly Canister[];
  /** Calls that wait for a bounded time only. */
  readonly bounded: readonly BoundedCall[];
  /** HTTP requests to be made now. */
  readonly outcalls: readonly Outcall[];
}

/** What the state tree holds of a canister; `metadata`: also its custom sections. */
export function leavesOf(canister: Canister, metadata: boolean): CanisterLeaves {
  const { record } = canister;
  return {
    canisterId: record.id,
    controllers: record.controllers,
    ...(record.code && {
      moduleHash: record.code.moduleHash,
      installedAtNanos: record.code.installedAtNanos,
    }),
    certifiedData: record.certifiedData,
    createdAtNanos: record.createdAtNanos,
    ...(metadata && { metadata: canister.metadata }),
  };
}
