import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { StateStamp } from '@cannery/replica/messages';
import type { AnswerAtHand } from '../../http/transport/answers-at-hand.ts';
import { httpDate } from '../../http/transport/http-date.ts';
import { KEEP_ALIVE_MILLIS } from '../../http/transport/keep-alive.ts';

/** For how long an answer is what the canister would answer. */
export interface Lasting {
  /** The state of the canister that it was made of. */
  readonly stamp: StateStamp;
  /** Network time in nanoseconds when its certificate is too old to be sent again. */
  readonly untilNanos: bigint;
}

/** What is known of an answer when it is kept. */
export interface AnswerToKeep {
  /** The head of the request, see `keyOf`. */
  readonly key: string;
  /** The canister's ID as text. */
  readonly canister: string;
  readonly lasting: Lasting;
  readonly status: number;
  /** Names and values in turns, as they are sent. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** The connection goes on after it, by HTTP/1.1. */
  readonly isKeepAlive: boolean;
}

/** A body up to this length is kept behind its head, so that both are one write; bytes. */
const MOST_JOINED_BYTES = 16 * 1024;
/** What an answer takes besides its bytes: objects, and its headers once more as texts. */
const OBJECT_BYTES = 1_024;
const DATE_LENGTH = 29;
/** A client that takes nothing of a long body for this long has gone. */
const TAKE_NOTHING_MILLIS = 60_000;
const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MILLIS / 1000}\r\n\r\n`;

/** An answer as it is written: its head is made once, and its date once a second. */
export class KeptAnswer implements AnswerAtHand {
  readonly key: string;
  readonly canister: string;
  readonly lasting: Lasting;
  readonly status: number;
  readonly headers: readonly string[];
  readonly isKeepAlive: boolean;
  /** What it counts for. */
  readonly bytes: number;
  /** It was asked for since this was last set to false. */
  isUsed = false;
  /** Hears that nobody needs the bytes of an answer that is kept no more. */
  onLeft: (() => void) | undefined;
  /** Clients that have not taken it yet. */
  #takers = 0;
  /** Its head, and its body where that is short. */
  #written: Buffer;
  readonly #headLength: number;
  readonly #longBody: Buffer | undefined;
  readonly #dateAt: number;
  #date: string;

  constructor({ key, canister, lasting, status, headers, body, isKeepAlive }: AnswerToKeep) {
    [this.key, this.canister, this.lasting] = [key, canister, lasting];
    [this.status, this.headers, this.isKeepAlive] = [status, headers, isKeepAlive];
    this.#date = httpDate();
    const { head, dateAt } = writtenHead(status, headers, this.#date);
    const isJoined = body.length <= MOST_JOINED_BYTES;
    this.#headLength = head.length;
    this.#dateAt = dateAt;
    // Not of the pool, which would be kept with it.
    this.#written = Buffer.alloc(head.length + (isJoined ? body.length : 0));
    this.#written.write(head, 'latin1');
    if (isJoined) this.#written.set(body, head.length);
    else this.#longBody = Buffer.from(new Uint8Array(body).buffer);
    this.bytes = key.length + 2 * head.length + body.length + OBJECT_BYTES;
  }

  get body(): Buffer {
    return this.#longBody ?? this.#written.subarray(this.#headLength);
  }

  get isNeeded(): boolean {
    return this.#takers > 0;
  }

  send(socket: Socket, done: () => void): void {
    const written = this.#now();
    this.#takers += 1;
    if (!this.#longBody) {
      socket.write(written, done);
      return;
    }
    socket.cork();
    socket.write(written);
    socket.write(this.#longBody, done);
    socket.uncork();
  }

  /** Sends it by the server, whatever kind of connection that has. */
  sendBy(response: ServerResponse): void {
    this.#takers += 1;
    response.once('close', () => this.taken());
    if (this.#longBody) response.setTimeout(TAKE_NOTHING_MILLIS, () => response.destroy());
    response.writeHead(this.status, [...this.headers]);
    response.end(this.body.length > 0 ? this.body : undefined);
  }

  taken(): void {
    this.#takers -= 1;
    if (this.#takers === 0) this.onLeft?.();
  }

  /** What is written, with the date of this second. */
  #now(): Buffer {
    const date = httpDate();
    if (date === this.#date || this.#dateAt < 0) return this.#written;
    this.#date = date;
    // What somebody has not taken is not written over.
    if (this.#takers > 0) this.#written = Buffer.from(new Uint8Array(this.#written).buffer);
    this.#written.write(date, this.#dateAt, DATE_LENGTH, 'latin1');
    return this.#written;
  }
}

/** The head as Node's server writes it, and where its date is; -1 where the canister gives one. */
function writtenHead(
  status: number,
  headers: readonly string[],
  date: string,
): { readonly head: string; readonly dateAt: number } {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  let hasDate = false;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    hasDate ||= headers[at]?.toLowerCase() === 'date';
    head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  }
  const dateAt = hasDate ? -1 : head.length + 'Date: '.length;
  const dateLine = hasDate ? '' : `Date: ${date}\r\n`;
  return { head: `${head}${dateLine}${KEEP_ALIVE}`, dateAt };
}
