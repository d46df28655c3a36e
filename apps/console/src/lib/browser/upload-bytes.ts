import { byteSize } from '../text/byte-size.ts';

/** How much of an upload has left the browser, in bytes. */
export interface SentBytes {
  readonly sent: number;
  readonly total: number;
}

/** The part that has been sent, between 0 and 1. */
export function partOf({ sent, total }: SentBytes): number {
  return total === 0 ? 0 : sent / total;
}

/** How much of an upload has been sent, for people: '1.20 MiB of 4.00 MiB'. */
export function sentText({ sent, total }: SentBytes): string {
  return `${byteSize(sent)} of ${byteSize(total)}`;
}
