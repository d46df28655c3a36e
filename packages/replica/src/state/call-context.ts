import type { CallerInfo } from '../messages.ts';
import type { Origin } from './message.ts';

/**
 * One call being processed by a canister, from its first message until it was answered and no callback is
 * outstanding any more.
 */
export interface CallContext {
  readonly id: number;
  readonly origin: Origin;
  readonly caller: Uint8Array;
  readonly callerInfo?: CallerInfo | undefined;
  /** Nanoseconds; 0 unless the caller waits for a bounded time only. */
  readonly deadline: bigint;
  /** Cycles of the call that were not accepted yet; refunded with the response. */
  readonly cycles: bigint;
  readonly responded: boolean;
  /** Set when the code was uninstalled: late responses bring back their refund but run no callback. */
  readonly deleted: boolean;
  readonly outstanding: number;
  readonly instructions: bigint;
}

declare const WORKING: unique symbol;

/** The context of the message at hand: not the one in memory, which is replaced when the message has ended. */
export type WorkingContext = { -readonly [K in keyof CallContext]: CallContext[K] } & {
  readonly [WORKING]: true;
};

/** A copy of the context to work on; `Transaction.saveContext` puts it in its place. */
export function workingContext(context: CallContext): WorkingContext {
  return { ...context } as WorkingContext;
}

/** A function of the canister's table with its environment value. */
export interface Closure {
  readonly index: bigint;
  readonly environment: bigint;
}

/** Cycles taken when a call was sent; what is not used comes back with its response. */
export interface CallPrepayment {
  /** For the request and the largest response. */
  readonly transmission: bigint;
  /** For running the callback to the instruction limit. */
  readonly execution: bigint;
}

/** A call sent and not answered yet. */
export interface Callback {
  readonly id: number;
  readonly context: number;
  readonly callee: Uint8Array;
  readonly onReply: Closure;
  readonly onReject: Closure;
  readonly onCleanup?: Closure;
  readonly cyclesSent: bigint;
  readonly prepaid: CallPrepayment;
  /** Nanoseconds; 0 for a guaranteed response. */
  readonly deadline: bigint;
}
