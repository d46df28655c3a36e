/** What the certified state of a subnet shows: the leaves of the state tree, and how they change. */

/** A rejection as the IC interface specification words it. */
export interface Rejection {
  /** 1 SYS_FATAL, 2 SYS_TRANSIENT, 3 DESTINATION_INVALID, 4 CANISTER_REJECT, 5 CANISTER_ERROR, 6 SYS_UNKNOWN. */
  readonly rejectCode: number;
  readonly message: string;
  /** `IC0xxx`, the replica's own error code. */
  readonly errorCode: string;
}

export type Outcome =
  | { readonly status: 'replied'; readonly reply: Uint8Array }
  | ({ readonly status: 'rejected' } & Rejection);

export interface Metadata {
  readonly name: string;
  readonly visibility: 'public' | 'private';
  readonly content: Uint8Array;
}

/** What the state tree holds of one canister. */
export interface CanisterLeaves {
  readonly canisterId: Uint8Array;
  readonly controllers: readonly Uint8Array[];
  /** Absent while no code is installed. */
  readonly moduleHash?: Uint8Array;
  readonly certifiedData: Uint8Array;
  /** Unix time in nanoseconds. */
  readonly createdAtNanos: bigint;
  /** When code was last installed or a snapshot loaded; absent while no code is installed. */
  readonly installedAtNanos?: bigint;
  /** Present only when the module changed since the last delta for this canister (and in the first one). */
  readonly metadata?: readonly Metadata[];
}

/** `done`: it was answered, and the answer has been forgotten. */
export type RequestStatus =
  | { readonly status: 'received' }
  | { readonly status: 'processing' }
  | Outcome
  | { readonly status: 'done' };

export interface RequestLeaf {
  readonly requestId: Uint8Array;
  /** The canister that was called; empty for the management canister. */
  readonly canisterId: Uint8Array;
  /** Who sent the call and to which address: only that sender may read its status, at that address. */
  readonly sender: Uint8Array;
  readonly effectiveCanisterId: Uint8Array;
  readonly status: RequestStatus;
  readonly expiryNanos: bigint;
}

/** Figures of the whole subnet, as `/subnet/<id>/metrics` of the state tree shows them. */
export interface SubnetMetrics {
  readonly canisters: number;
  /** Memory that the canisters use, in bytes. */
  readonly stateBytes: number;
  /** Cycles that all canisters have paid, with those that were deleted, and what these had left. */
  readonly consumedCycles: bigint;
  /** Messages that were carried out: all but queries. */
  readonly updateTransactions: number;
}

/** What one or more commits changed in the certified state. Sent in commit order, after the commit is on disk. */
export interface StateDelta {
  readonly canisters: readonly CanisterLeaves[];
  readonly deleted: readonly Uint8Array[];
  readonly requests: readonly RequestLeaf[];
  /** As of the last of the commits. */
  readonly metrics?: SubnetMetrics;
}
