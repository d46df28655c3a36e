import type { CallerInfo } from '../messages.ts';
import type { Outcome } from '@cannery/ic/state-leaves';
import type { IdKey } from './canister-id.ts';

/** Who waits for the response to a call. */
export type Origin =
  | { readonly kind: 'ingress'; readonly requestId: Uint8Array }
  | { readonly kind: 'canister'; readonly canister: IdKey; readonly callback: number }
  | { readonly kind: 'system' };

export interface RequestMessage {
  readonly kind: 'request';
  readonly origin: Origin;
  readonly caller: Uint8Array;
  readonly method: string;
  readonly arg: Uint8Array;
  readonly cycles: bigint;
  /** Nanoseconds; 0 for a guaranteed-response call. For ingress: when the message is forgotten. */
  readonly deadline: bigint;
  /** Canister version of the calling canister, for the change history. */
  readonly callerVersion?: bigint;
  /** What a canister certified about the sender of an ingress message. */
  readonly callerInfo?: CallerInfo;
}

export interface ResponseMessage {
  readonly kind: 'response';
  readonly callback: number;
  readonly outcome: Outcome;
  readonly refund: bigint;
}

/** System tasks are derived from the state and therefore never stored. */
export type TaskName = 'canister_global_timer' | 'canister_heartbeat' | 'canister_on_low_wasm_memory';
interface TaskMessage {
  readonly kind: 'task';
  readonly task: TaskName;
}

export type StoredMessage = RequestMessage | ResponseMessage;
export type Message = StoredMessage | TaskMessage;

/** A message in an input queue; `sequence` is its place in the store, absent for system tasks. */
export interface Queued {
  readonly sequence?: number;
  readonly message: Message;
}
