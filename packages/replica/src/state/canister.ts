import type { Metadata } from '@cannery/ic/state-leaves';
import type { CallContext, Callback } from './call-context.ts';
import { idKey, type IdKey } from './canister-id.ts';
import { type CanisterLog, EMPTY_LOG } from './canister-log.ts';
import { type ConsumedCycles, nothingConsumed } from './consumed-cycles.ts';
import { EMPTY_HISTORY, type History } from './history.ts';
import type { Origin, Queued } from './message.ts';
import type { CanisterSettings } from './settings.ts';
import type { LowMemoryHook, Snapshot } from './snapshot.ts';

type CanisterStatus = 'running' | 'stopping' | 'stopped';

/** Code of a canister and the part of its Wasm state that is not kept in pages. */
export interface InstalledCode {
  /** SHA-256 of the module as it was sent; also the name of the blob that holds it. */
  readonly moduleHash: Uint8Array;
  /** When it was installed or loaded from a snapshot: Unix time in nanoseconds. */
  readonly installedAtNanos: bigint;
  readonly moduleBytes: number;
  readonly customSectionBytes: number;
  readonly memory64: boolean;
  readonly exports: {
    readonly heartbeat: boolean;
    readonly globalTimer: boolean;
    readonly onLowWasmMemory: boolean;
  };
  /** Logical size of the heap in Wasm pages (64 KiB). */
  readonly heapPages: number;
  readonly globals: readonly (number | bigint)[];
}

/** A `stop_canister` call that waits for the open calls to end. */
interface StopRequest {
  readonly origin: Origin;
  readonly cycles: bigint;
  readonly deadlineNanos: bigint;
}

export interface QueryStatistics {
  calls: bigint;
  instructions: bigint;
  requestBytes: bigint;
  responseBytes: bigint;
}

/**
 * The small state of a canister: stored whole after every message that changed it. Only a transaction can change it, see
 * `Transaction.edit`.
 */
export interface CanisterRecord {
  readonly id: Uint8Array;
  readonly createdAtNanos: bigint;
  readonly controllers: readonly Uint8Array[];
  readonly settings: CanisterSettings;
  readonly status: CanisterStatus;
  /** The main balance as of `paidUntilNanos`; what the canister holds now is worked out in `cycles/rent.ts`. */
  readonly cycles: bigint;
  /** Cycles that can only pay for memory and compute. */
  readonly reservedCycles: bigint;
  /** Memory and compute are paid for until then. */
  readonly paidUntilNanos: bigint;
  readonly version: bigint;
  readonly certifiedData: Uint8Array;
  /** Nanoseconds since 1970; 0 while no timer is set. */
  readonly globalTimer: bigint;
  readonly code: InstalledCode | undefined;
  /** Counts the heaps this canister ever had: each has its own page space. */
  readonly heapGeneration: number;
  readonly stableGeneration: number;
  /** Size of the stable memory in Wasm pages (64 KiB). */
  readonly stablePages: number;
  readonly lowMemoryHook: LowMemoryHook;
  readonly nextCallContext: number;
  readonly nextCallback: number;
  readonly stopRequests: readonly StopRequest[];
  /** Queries count in it; they change nothing else. */
  readonly queryStatistics: QueryStatistics;
  readonly consumed: Readonly<ConsumedCycles>;
  /** Number of the next snapshot. */
  readonly nextSnapshot: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

declare const EDITABLE: unique symbol;

/** A record that may be changed. The mark is needed, as TypeScript lets read-only fields pass for writable ones. */
export type EditableRecord = Writable<Omit<CanisterRecord, 'id' | 'createdAtNanos' | 'consumed' | 'code'>> &
  Pick<CanisterRecord, 'id' | 'createdAtNanos'> & {
    consumed: ConsumedCycles;
    code: Writable<InstalledCode> | undefined;
    readonly [EDITABLE]: true;
  };

/** A copy that can be changed without the record; the statistics of queries stay shared. */
export function recordCopy(record: CanisterRecord): EditableRecord {
  const { consumed, code } = record;
  return { ...record, consumed: { ...consumed }, code: code && { ...code } } as EditableRecord;
}

/** What is known of a canister when it is made. */
type NewCanister = Pick<
  CanisterRecord,
  'id' | 'createdAtNanos' | 'controllers' | 'settings' | 'cycles' | 'reservedCycles'
> & {
  /** Cycles its creation cost. */
  readonly creationFee: bigint;
};

/** A running canister without code, paid for until the moment of its creation. */
export function newCanister({ creationFee, ...given }: NewCanister): Canister {
  return new Canister({
    ...given,
    status: 'running',
    paidUntilNanos: given.createdAtNanos,
    consumed: { ...nothingConsumed(), canisterCreation: creationFee },
    version: 0n,
    certifiedData: new Uint8Array(0),
    globalTimer: 0n,
    code: undefined,
    heapGeneration: 0,
    stableGeneration: 0,
    stablePages: 0,
    lowMemoryHook: 'condition_not_satisfied',
    nextCallContext: 0,
    nextCallback: 0,
    nextSnapshot: 0,
    stopRequests: [],
    queryStatistics: { calls: 0n, instructions: 0n, requestBytes: 0n, responseBytes: 0n },
  });
}

/** Names a state of heap and stable memory: every change of them comes with a new version. */
export function memoryIdentity(record: CanisterRecord): string {
  const { createdAtNanos, version, heapGeneration, stableGeneration, code } = record;
  return [createdAtNanos, version, heapGeneration, stableGeneration, code ? idKey(code.moduleHash) : ''].join(
    '/',
  );
}

/** What belongs to a canister besides its record. */
interface CanisterParts {
  readonly callContexts: ReadonlyMap<number, CallContext>;
  readonly callbacks: ReadonlyMap<number, Callback>;
  /** Hexadecimal SHA-256 of the uploaded chunks, in upload order. */
  readonly chunks: readonly string[];
  /** In the order they were made. */
  readonly snapshots: readonly Snapshot[];
  readonly metadata: readonly Metadata[];
  readonly history: History;
  readonly log: CanisterLog;
}

/** A canister in memory. Everything but `queue`'s system tasks is also in the store; only transactions change it. */
export class Canister implements CanisterParts {
  readonly key: IdKey;
  readonly record: CanisterRecord;
  /** The scheduler takes messages from its front and puts system tasks there; transactions append to it. */
  readonly queue: Queued[] = [];
  readonly callContexts: ReadonlyMap<number, CallContext>;
  readonly callbacks: ReadonlyMap<number, Callback>;
  readonly chunks: readonly string[];
  readonly snapshots: readonly Snapshot[];
  readonly metadata: readonly Metadata[];
  readonly history: History;
  readonly log: CanisterLog;
  /** The record has rent that was charged and not stored, see `chargeRent`. Kept by `Transaction.commit`. */
  isAheadOfStore = false;

  constructor(record: CanisterRecord, parts: Partial<CanisterParts> = {}) {
    this.record = record;
    this.key = idKey(record.id);
    this.callContexts = parts.callContexts ?? new Map<number, CallContext>();
    this.callbacks = parts.callbacks ?? new Map<number, Callback>();
    this.chunks = parts.chunks ?? [];
    this.snapshots = parts.snapshots ?? [];
    this.metadata = parts.metadata ?? [];
    this.history = parts.history ?? EMPTY_HISTORY;
    this.log = parts.log ?? EMPTY_LOG;
  }

  get id(): Uint8Array {
    return this.record.id;
  }

  /** Page space of the heap; a fresh heap gets a fresh space, so the old one survives a failed install. */
  heapSpace(generation = this.record.heapGeneration): string {
    return `heap/${this.key}/${generation}`;
  }

  stableSpace(generation = this.record.stableGeneration): string {
    return `stable/${this.key}/${generation}`;
  }
}
