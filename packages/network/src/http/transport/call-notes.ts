import type { ClientAddress } from './client-address.ts';
import type { AskedFor } from './tally.ts';

/** The header by which whoever calls names a request. */
export const REQUEST_ID = 'x-request-id';
/** What may be written down of it: a short name of plain letters. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9-]{7,39}$/;

/** An answer that took longer is noted, in milliseconds. A call waits ten seconds for its outcome at most. */
const SLOW_MILLIS = 12_000;
/** Notes of one address, and of all, in each second: whoever calls wrongly on and on hides nobody else's. */
const MOST_NOTES = { ofOne: 20, all: 200 };
const SECOND_MILLIS = 1_000;

/** A named request that was answered. */
export interface AnsweredCall {
  readonly requestId: string;
  readonly kind: AskedFor;
  readonly status: number;
  readonly millis: number;
  readonly address: ClientAddress;
}

/** The name of a request, if it has one that can be written down. */
export function plainRequestId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && PLAIN_ID.test(given) ? given : undefined;
}

/**
 * Writes down named requests that were refused, failed or took long; all of them where that is asked for. One JSON object a
 * line: `request_id`, `asked_for`, `status` and `ms`. Nothing else that a client sends is in it.
 */
export class CallNotes {
  readonly #write: (line: string) => void;
  readonly #now: () => number;
  #since = 0;
  #written = 0;
  readonly #ofAddress = new Map<ClientAddress, number>();
  /** Whether also what went well is written down. */
  isThorough = false;

  /** @param now in milliseconds, from any start */
  constructor(write: (line: string) => void, now: () => number = () => performance.now()) {
    this.#write = write;
    this.#now = now;
  }

  note({ requestId, kind, status, millis, address }: AnsweredCall): void {
    if (!this.isThorough && status < 400 && millis < SLOW_MILLIS) return;
    if (!this.#takesOne(address)) return;
    this.#write(
      JSON.stringify({ request_id: requestId, asked_for: kind, status, ms: Math.round(millis * 10) / 10 }),
    );
  }

  #takesOne(address: ClientAddress): boolean {
    const now = this.#now();
    if (now - this.#since >= SECOND_MILLIS) {
      this.#since = now;
      this.#written = 0;
      this.#ofAddress.clear();
    }
    const written = this.#ofAddress.get(address) ?? 0;
    if (this.#written >= MOST_NOTES.all || written >= MOST_NOTES.ofOne) return false;
    this.#written += 1;
    this.#ofAddress.set(address, written + 1);
    return true;
  }
}

/** Of this process, on its standard output. */
export const callNotes = new CallNotes((line) => void process.stdout.write(`${line}\n`));
