import type { Header } from '../proof/http-messages.ts';

/** A response to send. */
export interface Page {
  readonly status: number;
  readonly headers: readonly Header[];
  /** The whole body, or its first piece. */
  readonly body: Uint8Array;
  /** The pieces after the first, where there are more; each is asked for when the one before is taken, which is gone then. */
  readonly rest?: AsyncIterable<Uint8Array>;
  /** Length of the whole body in bytes, where it is known before the pieces. */
  readonly length: number | undefined;
}
