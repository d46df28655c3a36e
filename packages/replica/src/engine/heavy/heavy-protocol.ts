import type { FeeSchedule } from '../../cycles/fee-schedule.ts';
import type { CompiledModule } from '../../execution/run/loaded-code.ts';
import type { Query, QueryAnswer } from '../../execution/query.ts';
import type { ErrorData, RecordedRun } from '../../execution/run/recorded-run.ts';
import type { InstructionLimits } from '@cannery/ic/limits';
import type { IngressMessage, Print } from '../../messages.ts';
import type { Callback, CallContext } from '../../state/call-context.ts';
import { Canister, type QueryStatistics } from '../../state/canister.ts';
import type { IdKey } from '../../state/canister-id.ts';
import type { IdRange } from '../../state/id-range.ts';
import type { Message } from '../../state/message.ts';

/** What a heavy worker needs for its whole life; survives a structured clone. */
export interface HeavyConfiguration {
  readonly dataDir: string;
  readonly rootKeyDer: Uint8Array;
  readonly subnetId: Uint8Array;
  readonly limits: InstructionLimits;
  readonly fees: FeeSchedule;
  readonly nodes: bigint;
  readonly prints: boolean;
  /** Heap one canister may take, in bytes. */
  readonly canisterBytes: number;
  /** See `Environment.idRanges`. */
  readonly idRanges?: readonly IdRange[];
  /** How much the thread steps back behind the one that starts it, in steps of Unix niceness. */
  readonly niceness: number;
  /** Counts the answers on `reads`. */
  readonly answers: SharedArrayBuffer;
}

/** A canister as another thread needs it: all of it but its queue, its heap and its stable memory. */
export type CanisterImage = Pick<
  Canister,
  'record' | 'chunks' | 'snapshots' | 'metadata' | 'history' | 'log'
> & {
  readonly callContexts: readonly CallContext[];
  readonly callbacks: readonly Callback[];
};

interface JobBase {
  /** Weighted instructions an execution, or a query as a whole, may use here; its own limit where not given. */
  readonly slice: bigint | undefined;
  readonly timeNanos: bigint;
  /** Memory of all canisters of the subnet, in bytes. */
  readonly subnetBytes: bigint;
  /** Bytes the worker's canisters may take while it does this. */
  readonly hardBytes: number;
}

export type HeavyJob = JobBase &
  (
    | {
        readonly type: 'message';
        readonly owner: IdKey;
        readonly message: Message;
        readonly canister: CanisterImage;
        /** Whether the other side has the canister's module ready. */
        readonly hasModule: boolean;
      }
    | { readonly type: 'query'; readonly query: Query }
    | { readonly type: 'inspect'; readonly message: IngressMessage }
  );

/** To a heavy worker. */
export type HeavyRequest =
  | { readonly type: 'job'; readonly job: HeavyJob }
  /** The outcome of the last message was committed: what the worker has in memory of the canister is what is stored. */
  | { readonly type: 'kept'; readonly canister: IdKey; readonly identity: string };

interface PreparedEntry {
  readonly hash: string;
  readonly compiled: CompiledModule;
}

export type HeavyResult =
  | {
      readonly type: 'message';
      readonly runs: readonly RecordedRun[];
      readonly modules: readonly PreparedEntry[];
      readonly refusal: ErrorData | undefined;
      /** `memoryIdentity` of the canister now. */
      readonly identity: string;
    }
  /** More than the slice is needed. */
  | { readonly type: 'overflow' }
  | {
      readonly type: 'query';
      /** Absent when the certificate at hand does not certify the current data. */
      readonly answer: QueryAnswer | undefined;
      readonly statistics: readonly (readonly [canister: IdKey, added: QueryStatistics])[];
    }
  | { readonly type: 'inspect'; readonly error: ErrorData | undefined }
  /** The state changed under a query in a way that cannot be hidden from it: it is to be asked again. */
  | { readonly type: 'torn' };

/** From a heavy worker. */
export type HeavyAnswer =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: HeavyResult; readonly residentBytes: number }
  | { readonly type: 'print'; readonly print: Print }
  | { readonly type: 'failed'; readonly reason: string };

/** What a heavy worker asks while it works; it stands still until it has the answer. */
export type ReadRequest =
  | { readonly type: 'canister'; readonly key: IdKey }
  | { readonly type: 'module'; readonly hash: string }
  | { readonly type: 'value'; readonly key: string }
  | { readonly type: 'keys'; readonly prefix: string }
  | { readonly type: 'size'; readonly space: string }
  | { readonly type: 'pages'; readonly space: string; readonly first: number; readonly count: number };

export type ReadAnswer =
  | { readonly type: 'canister'; readonly image: CanisterImage | undefined }
  | { readonly type: 'module'; readonly compiled: CompiledModule | undefined }
  | { readonly type: 'value'; readonly bytes: Uint8Array | undefined }
  | { readonly type: 'keys'; readonly keys: readonly string[] }
  | { readonly type: 'size'; readonly pages: number }
  | { readonly type: 'pages'; readonly bytes: Uint8Array }
  | { readonly type: 'damaged'; readonly path: string; readonly what: string }
  | { readonly type: 'torn' };

/** What another thread gets of a canister. */
export function imageOf(canister: Canister): CanisterImage {
  const { record, chunks, snapshots, metadata, history, log } = canister;
  return {
    record,
    chunks,
    snapshots,
    metadata,
    history,
    log,
    callContexts: [...canister.callContexts.values()],
    callbacks: [...canister.callbacks.values()],
  };
}

export function canisterFrom(image: CanisterImage): Canister {
  const { record, callContexts, callbacks, ...rest } = image;
  return new Canister(record, {
    ...rest,
    callContexts: new Map(callContexts.map((context) => [context.id, context])),
    callbacks: new Map(callbacks.map((callback) => [callback.id, callback])),
  });
}
