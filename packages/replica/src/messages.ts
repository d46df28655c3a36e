/**
 * The values that travel between the threads of the network: what the HTTP interface hands to the engine
 * (the thread that runs canisters) and what the engine hands back. Everything here survives a structured clone.
 */

import type { BackupMoment } from '@cannery/store/backup/backup-moment';
import type { Outcome, Rejection, StateDelta } from '@cannery/ic/state-leaves';

/** What the canister behind a caller's canister signature says of the caller (`sender_info` of a request). */
export interface CallerInfo {
  readonly data: Uint8Array;
  /** The canister that signed `data`. */
  readonly signer: Uint8Array;
}

/** An authenticated update call, ready for induction. `canisterId` is empty for the management canister. */
export interface IngressMessage {
  readonly requestId: Uint8Array;
  readonly sender: Uint8Array;
  readonly canisterId: Uint8Array;
  /** The canister whose address the call was sent to (the URL); the target of a management call. */
  readonly effectiveCanisterId: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
  /** Size of the signed request as it was sent; the canister pays for it by the byte. */
  readonly bytes: number;
  readonly callerInfo?: CallerInfo;
  /** Unix time in nanoseconds after which the request is forgotten. */
  readonly expiryNanos: bigint;
}

/** Whether a submitted update call entered the queue. A refused one leaves no trace in the state. */
export type Admission =
  | { readonly accepted: true }
  /** `malformed`: no canister refused it; the request as such is wrong. */
  | ({ readonly accepted: false; readonly malformed: boolean } & Rejection);

export interface QueryMessage {
  readonly sender: Uint8Array;
  readonly canisterId: Uint8Array;
  /** The canister whose address the query was sent to, if it was sent to one; matters for the management canister. */
  readonly effectiveCanisterId?: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
  readonly callerInfo?: CallerInfo;
  /** A certificate for `/canister/<id>/certified_data` and the value it certifies, if the caller has one at hand. */
  readonly dataCertificate?: { readonly certificate: Uint8Array; readonly certifiedData: Uint8Array };
  /** Whether the answer is to say of which state of the canister it is, where it lasts as long as that. */
  readonly stamped?: boolean;
  /** The query has no data certificate and cannot ask for one, as a transform function of an HTTP request. */
  readonly uncertified?: boolean;
}

/** Names a state of a canister, see `Engine.isCurrent`. */
export interface StateStamp {
  readonly slot: number;
  readonly count: number;
}

/** What a query came to. `stamp` is there where it was asked for, and the answer depends on that state and the query only. */
export type QueryOutcome = Outcome & { readonly stamp?: StateStamp };

/**
 * `stale-certificate`: the canister asked for its data certificate and the one handed in does not certify the
 * current certified data (or none was handed in); ask again with a fresh one. `malformed`: the request as such is wrong.
 */
export type QueryResult =
  | QueryOutcome
  | { readonly status: 'stale-certificate' }
  | { readonly status: 'malformed'; readonly message: string };

/** What a canister printed with `ic0.debug_print` in one execution. */
export interface Print {
  readonly canisterId: Uint8Array;
  readonly lines: readonly Uint8Array[];
}

/** How the thread that runs canisters is doing. */
export interface EngineFigures {
  readonly canisters: number;
  /** Bytes of memory of all canisters. */
  readonly stateBytes: number;
  /** Messages carried out since the network was made. */
  readonly messages: number;
  /** Weighted instructions of messages and queries since the thread was started. */
  readonly instructions: number;
  /** Cycles that canisters have paid since the network was made. */
  readonly consumedCycles: number;
  /** By how much the network's time is ahead of the machine's clock, which was set back. */
  readonly aheadSeconds: number;
  /** Messages that wait in the queues of canisters, and the queues that have any. */
  readonly waiting: { readonly messages: number; readonly queues: number };
  /** Canisters whose message is carried out in another thread, since it is long. */
  readonly heavy: number;
  readonly store: {
    /** Changes kept since the network was made. */
    readonly commits: number;
    /** Bytes of the logs that the next checkpoint writes out. */
    readonly logBytes: number;
    /** Checkpoints since the start, and whether the last one failed. */
    readonly checkpoints: number;
    readonly hasFailed: boolean;
    readonly isDiskLow: boolean;
  };
}

/** How a canister is doing, for who watches over the network: the balance is for its controllers otherwise. */
export interface CanisterFigures {
  readonly id: Uint8Array;
  readonly status: 'running' | 'stopping' | 'stopped';
  readonly moduleHash: Uint8Array | undefined;
  readonly memoryBytes: number;
  readonly cycles: bigint;
  readonly consumedCycles: bigint;
  /** Messages in its queue. */
  readonly waiting: number;
  /** Queries that were answered since it was created. */
  readonly queries: number;
}

/** What was carried out: an update, a query, the response to a call, or a task of the system. */
export type MethodKind = 'update' | 'query' | 'response' | 'task';

/** What a method has used since the start of the thread. */
export interface MethodFigures {
  /** In hexadecimal; empty for the management canister. */
  readonly canister: string;
  readonly kind: MethodKind;
  /** As the canister calls it, at most 100 characters of it; that of a task is the system's, responses have none. */
  readonly name: string;
  readonly calls: number;
  /** Weighted instructions. */
  readonly instructions: number;
  /** For instructions and calls, and burned; not for taking in the message, and not for memory. */
  readonly cycles: bigint;
}

/** The methods that used the most instructions, and all others together. */
export interface MethodTotals {
  readonly methods: readonly MethodFigures[];
  readonly others: {
    readonly methods: number;
    readonly calls: number;
    readonly instructions: number;
    readonly cycles: bigint;
  };
}

/** An answer to `Engine.survey`. */
export interface Survey {
  readonly canisters: readonly CanisterFigures[];
  readonly use: MethodTotals;
}

/** The thread that owns and runs the canisters, as seen by everyone else. */
export interface Engine {
  /** Runs admission (existence, status, `inspect_message`, management permissions) and queues the message durably. */
  submit(message: IngressMessage): Promise<Admission>;
  query(message: QueryMessage): Promise<QueryResult>;
  /**
   * Whether the canister has not changed since a query was answered with this stamp: read from memory that the threads share, which is
   * changed when a change is made, before anybody is told of it. Use no stamp for longer than five minutes of network time: the canister
   * may run out of cycles then without a change.
   */
  isCurrent(stamp: StateStamp): boolean;
  /**
   * Holds a canister still: it begins none of its messages until `release`, or for half a second. Resolves once all it
   * has committed is published; a message under way in another thread may still end.
   */
  hold(canisterId: Uint8Array): Promise<void>;
  release(canisterId: Uint8Array): void;
  /** The first delta a listener sees holds the whole certified state. */
  subscribe(listener: (delta: StateDelta) => void): void;
  /**
   * Sets subnet time ahead to `nanos` (since 1970) and resolves when it is there: it goes in steps, from one due timer
   * to the next, and what a step starts is finished before the next one. Does nothing for a time that has passed; rejects with a
   * `RangeError` for one after `LATEST_TIME_NANOS`.
   */
  setTime(nanos: bigint): Promise<void>;
  /**
   * Sets subnet time ahead by `nanos`, as `setTime` does: by all of it, however long the engine is busy meanwhile. Rejects for a time
   * after `LATEST_TIME_NANOS`.
   */
  advanceTime(nanos: bigint): Promise<void>;
  /** Counted meanwhile, but for a walk over the queues that have messages. */
  figures(): Promise<EngineFigures>;
  /** Looks at these canisters, the first fifty, and at what methods have used: as much work as there are canisters in the question. */
  survey(canisterIds: readonly Uint8Array[]): Promise<Survey>;
  /** Copies the state, as of some moment during the call, to a new folder; canisters go on. Rejects when it cannot. */
  backup(to: string, moment?: BackupMoment): Promise<void>;
  /** Hears what canisters print, also in queries and in messages that trap; silent unless configured with `prints`. */
  onPrint(listener: (print: Print) => void): void;
  /** Resolves with the reason when the thread has ended without `close`; nothing can be asked any more. */
  readonly failed: Promise<Error>;
  /** Finishes the message in hand, writes a checkpoint and ends the thread. */
  close(): Promise<void>;
}
