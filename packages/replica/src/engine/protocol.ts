import type { FeeProfile } from '../cycles/fee-schedule.ts';
import type { HeavySettings } from './heavy/heavy-settings.ts';
import type { QueryBatch, ResultBatch } from './query-batch.ts';
import type { InstructionLimits } from '@cannery/ic/limits';
import type { Admission, EngineFigures, IngressMessage, Print, QueryResult, Survey } from '../messages.ts';
import type { StateDelta } from '@cannery/ic/state-leaves';
import type { IdRange } from '../state/id-range.ts';
import type { OutcallPolicy } from '../state/outcall.ts';
import type { ProvisionalPolicy } from '../state/provisional.ts';
import type { ControlCall, ControlResult } from '../test-controls.ts';

/** What the thread needs to start; survives a structured clone. */
export interface EngineConfiguration {
  /** Folder of the durable store; created when missing, owned by one engine at a time. */
  readonly dataDir: string;
  readonly rootKeyDer: Uint8Array;
  readonly subnetId: Uint8Array;
  /** Weighted instructions a message may use; mainnet's limits where not given. */
  readonly instructionLimits?: Partial<InstructionLimits>;
  /** Bytes of heap and stable memory to keep loaded; 1 GiB where not given. */
  readonly loadedBytes?: number;
  /** Bytes of heap and stable memory all threads may hold at a time; beyond it memory does not grow. */
  readonly memoryBytes?: number;
  /** Free bytes of the disk below which no calls are accepted; 64 MiB where not given. */
  readonly diskReserveBytes?: number;
  /** Heap one canister may take, in bytes, where that is less than the Internet Computer allows. */
  readonly canisterBytes?: number;
  /** When work leaves the engine thread; `DEFAULT_HEAVY_SETTINGS` where not given. */
  readonly heavy?: Partial<HeavySettings>;
  /** What things cost; `DEFAULT_FEE_PROFILE` where not given. */
  readonly fees?: FeeProfile;
  /** `SubnetTime` shared with the host, which reads it. */
  readonly time?: SharedArrayBuffer;
  /** Time stands still unless it is set: for tests that must not depend on how long they take. */
  readonly stopTime?: boolean;
  /**
   * Rounds are asked for, and time set, by `Engine.control`; a new network begins at `startNanos` since 1970. With a `seed`
   * its secrets and random bytes follow from that, and no two messages run at a time: for a store that is opened once.
   */
  readonly steps?: { readonly startNanos: bigint; readonly seed?: Uint8Array };
  /** Ranges of the IDs of canisters, the first for all that belong to none; one range where not given. */
  readonly idRanges?: readonly IdRange[];
  /** Which HTTP requests canisters may make; none where not given. */
  readonly httpOutcalls?: OutcallPolicy;
  /** Whether `StartedEngine.outcalls` may switch them on and off, and what it said before counts. */
  readonly outcallSwitch?: boolean;
  /** Who may make cycles from nothing; everybody where not given. */
  readonly provisional?: ProvisionalPolicy;
  /** Whether listeners of `Engine.onPrint` hear anything. */
  readonly prints?: boolean;
}

export interface EngineThreadConfiguration extends EngineConfiguration {
  /** Stack of every thread that runs canisters, in MiB. */
  readonly stackMb: number;
  /** Memory of `StateStamps` shared with the host, which reads it. */
  readonly stamps?: SharedArrayBuffer;
}

/** Main thread to engine thread. Requests with an `id` are answered under that number. */
export type HostMessage =
  | { readonly type: 'submit'; readonly id: number; readonly message: IngressMessage }
  | ({ readonly type: 'queries' } & QueryBatch)
  | { readonly type: 'hold'; readonly id: number; readonly canisterId: Uint8Array }
  | { readonly type: 'release'; readonly canisterId: Uint8Array }
  | {
      readonly type: 'travel';
      readonly id: number;
      readonly nanos: bigint;
      readonly from: 'epoch' | 'now';
    }
  | { readonly type: 'control'; readonly id: number; readonly call: ControlCall }
  | { readonly type: 'outcalls'; readonly id: number; readonly on: boolean | undefined }
  | { readonly type: 'figures'; readonly id: number }
  | { readonly type: 'survey'; readonly id: number; readonly canisterIds: readonly Uint8Array[] }
  | { readonly type: 'backup'; readonly id: number; readonly to: string; readonly hasMoment: boolean }
  /** The moment of a backup may come; with a reason it must not, and the backup ends. */
  | { readonly type: 'backup-go'; readonly id: number; readonly refusal?: string }
  | { readonly type: 'subscribe'; readonly subscription: number }
  | { readonly type: 'close'; readonly id: number };

/** What a request with an `id` is answered with. */
export type Answer = Admission | QueryResult | EngineFigures | Survey | ControlResult | boolean | undefined;

/** Engine thread to main thread. */
export type EngineMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly id: number; readonly value: Answer }
  | { readonly type: 'refused'; readonly id: number; readonly reason: string }
  | { readonly type: 'backup-step'; readonly id: number; readonly step: 'ready' | 'taken' }
  | ({ readonly type: 'results' } & ResultBatch)
  | { readonly type: 'failed'; readonly id?: number; readonly reason: string }
  | { readonly type: 'print'; readonly print: Print }
  | { readonly type: 'delta'; readonly delta: StateDelta }
  | { readonly type: 'snapshot'; readonly delta: StateDelta; readonly subscription: number };
