import { Readable } from 'node:stream';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../log/logger.ts';
import { openStreams } from '../../metrics/instruments.ts';

/** How long a reader may take to read on before a stream is cut, in milliseconds; it comes back by itself. */
const SLOW_MS = 15_000;
/** A proxy takes a connection for dead on which nothing comes, in milliseconds. */
export const QUIET_MS = 15_000;
/** Bytes that wait for a reader. */
const HELD_BYTES = 64 * 1024;

/** What a reader waits before it comes back after a cut, in milliseconds. */
const HEAD = 'retry: 1000\n\n';

/** Something that happens again and again, for one who waits. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Waits for the next ring, or for the one since the last wait. @returns false when the time was over first */
  async wait(ms: number): Promise<boolean> {
    if (!this.#rung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }
}

/** One event of a stream. */
interface StreamEvent {
  readonly id?: number;
  readonly type: string;
  /** What its JSON says. */
  readonly data: unknown;
}

/** The end of a stream at which events are put in. */
export interface EventSink {
  /** Whether the reader is gone, or was let go. */
  readonly isOver: boolean;
  /** Hands an event on. @returns false when the reader is gone, or so slow that it was let go */
  send(event: StreamEvent): Promise<boolean>;
  /** Keeps a connection on which nothing has come for a while from being taken for dead. */
  stayAwake(): Promise<boolean>;
}

interface EventStreamOptions {
  readonly log: Logger;
  /** What has to be done before the reader is told that the stream is open. */
  readonly prepare?: () => Promise<void>;
  /** Writes the stream, which ends with it. */
  readonly write: (sink: EventSink) => Promise<void>;
  /** Called once when the stream is over, however it ended. It has to wake `write`, if that waits for news. */
  readonly onOver: () => void;
  /** How long a reader may take to read on, in milliseconds. */
  readonly slowMs?: number;
}

/** A stream of server-sent events that keeps as much as 64 kB for its reader, and lets go of one that does not read. */
export function eventStream({ log, prepare, write, onOver, slowMs = SLOW_MS }: EventStreamOptions): Readable {
  const room = new Bell();
  let sentAt = 0;
  const stream = new Readable({
    highWaterMark: HELD_BYTES,
    read: () => room.ring(),
    destroy(error, done) {
      onOver();
      room.ring();
      done(error);
    },
  });

  async function push(text: string): Promise<boolean> {
    if (stream.destroyed) return false;
    sentAt = performance.now();
    if (stream.push(text)) return true;
    if (!(await room.wait(slowMs))) stream.destroy();
    return !stream.destroyed;
  }

  const sink: EventSink = {
    get isOver() {
      return stream.destroyed;
    },
    send({ id, type, data }) {
      const name = id === undefined ? '' : `id: ${id}\n`;
      return push(`${name}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    async stayAwake() {
      return performance.now() - sentAt < QUIET_MS || push(': still here\n\n');
    },
  };

  async function run(): Promise<void> {
    await prepare?.();
    if (await push(HEAD)) await write(sink);
  }

  run()
    .catch((error: unknown) => log.warn({ err: error }, 'a stream of events was cut'))
    .finally(() => {
      if (!stream.destroyed) stream.push(null);
    });
  return stream;
}

/** Counts the streams that are open in this process, by whom they are for. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /**
   * Takes a place for a stream until it is over.
   * @param limits what it counts for, each with the most there may be and the sentence when there are as many
   * @throws AppError rate_limited
   */
  count(
    limits: readonly { readonly of: string; readonly most: number; readonly full: string }[],
    open: () => Readable,
  ): Readable {
    for (const { of, most, full } of limits) {
      if ((this.#open.get(of) ?? 0) >= most) throw new AppError('rate_limited', full);
    }
    const stream = open();
    openStreams.add(1);
    for (const { of } of limits) this.#open.set(of, (this.#open.get(of) ?? 0) + 1);
    return stream.once('close', () => {
      openStreams.add(-1);
      for (const { of } of limits) {
        const left = (this.#open.get(of) ?? 1) - 1;
        if (left === 0) this.#open.delete(of);
        else this.#open.set(of, left);
      }
    });
  }
}
