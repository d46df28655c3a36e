import { MAX_HISTORY_CHANGES } from '@cannery/ic/limits';

export type ChangeOrigin =
  | { readonly kind: 'user'; readonly id: Uint8Array }
  | { readonly kind: 'canister'; readonly id: Uint8Array; readonly version?: bigint };

type ChangeDetails =
  | {
      readonly kind: 'creation';
      readonly controllers: readonly Uint8Array[];
      readonly environmentVariablesHash?: Uint8Array;
    }
  | { readonly kind: 'uninstall' }
  | {
      readonly kind: 'deployment';
      readonly mode: 'install' | 'reinstall' | 'upgrade';
      readonly moduleHash: Uint8Array;
    }
  | { readonly kind: 'controllers'; readonly controllers: readonly Uint8Array[] }
  | {
      readonly kind: 'snapshot';
      /** Where the snapshot came from, unless it is the canister's own. */
      readonly from: Uint8Array | undefined;
      readonly snapshotId: Uint8Array;
      readonly canisterVersion: bigint;
      readonly takenAtNanos: bigint;
      readonly source: 'taken' | 'uploaded';
    };

export interface Change {
  readonly timestampNanos: bigint;
  readonly canisterVersion: bigint;
  readonly origin: ChangeOrigin;
  readonly details: ChangeDetails;
}

/** The newest changes of a canister, oldest first, and how many there ever were. */
export interface History {
  readonly total: bigint;
  readonly recent: readonly Change[];
}

export const EMPTY_HISTORY: History = { total: 0n, recent: [] };

export function withChange(history: History, change: Change): History {
  return {
    total: history.total + 1n,
    recent: [...history.recent, change].slice(-MAX_HISTORY_CHANGES),
  };
}
