import type { MethodMode } from '@cannery/candid';
import type { ExplainedError } from './explain-error.ts';

/** How a call ended. */
export type CallOutcome =
  /** The reply as encoded Candid. */
  | { readonly kind: 'reply'; readonly bytes: Uint8Array }
  /** A oneway method took the message; it never replies. */
  | { readonly kind: 'sent' }
  | { readonly kind: 'error'; readonly error: ExplainedError }
  /** A reply of this many bytes, too long to be kept. */
  | { readonly kind: 'cut'; readonly length: number };

/** A call that was made, before it has a place in the history. */
export interface NewCall {
  readonly method: string;
  readonly mode: MethodMode;
  /** The arguments as Candid text; undefined when they were too long to be kept. */
  readonly args: string | undefined;
  /** The same on one line, cut where it is long. */
  readonly argsLine: string;
  /** The principal that called; undefined for an anonymous call. */
  readonly caller: string | undefined;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** By how much the canister's balance fell, in cycles; known to its controllers only. */
  readonly cycles: bigint | undefined;
  readonly outcome: CallOutcome;
}

/** One call made from this page. */
export interface CallRecord extends NewCall {
  readonly id: number;
}
