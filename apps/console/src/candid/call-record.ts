import type { MethodMode } from '@cannery/candid';
import type { ExplainedError } from './explain-error.ts';

/** How a call ended. `text` is undefined for a oneway method, which gives no reply. */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly text: string | undefined }
  | { readonly kind: 'error'; readonly error: ExplainedError };

/** One call made from this page. */
export interface CallRecord {
  readonly id: number;
  readonly method: string;
  readonly mode: MethodMode;
  /** The arguments as Candid text. */
  readonly args: string;
  /** The same on one line, cut where it is long. */
  readonly argsLine: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: CallOutcome;
}

/** A duration as people read it: `12 ms`, `1.3 s`. */
export function durationText(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
