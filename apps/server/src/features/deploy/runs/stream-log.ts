import { Readable } from 'node:stream';
import { isFinished, type LogEndEvent } from '@cannery/contract';
import type { Actor, AppContext } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { logNews } from '../../../jobs/instance-log.ts';
import { openLogReader } from '../../../jobs/log-reader.ts';
import { isStillValid } from '../../api-token/find-caller.ts';
import { findInstance } from '../store/run-store.ts';

/** Streams of one user at a time, in this process. A browser has six connections for all its pages of one server. */
const STREAMS_PER_USER = 4;
/** How often a stream looks by itself, in milliseconds: news can be missed. */
const LOOK_MS = 2_000;
/** For so long a bearer token that was found valid counts as valid, in milliseconds. */
const VALID_MS = 1_000;
/** How long a reader may take to read on before the stream is cut, in milliseconds; it comes back where it was. */
const SLOW_MS = 15_000;
/** A proxy takes a connection for dead on which nothing comes, in milliseconds. */
const QUIET_MS = 15_000;
/** Bytes that wait for a reader. */
const HELD_BYTES = 64 * 1024;

/** What a reader waits before it comes back after a cut, in milliseconds. */
const HEAD = 'retry: 1000\n\n';

interface LogRequest {
  readonly deployId: string;
  readonly instanceId: string;
  /** Number of the last line that the reader has; 0 for none. */
  readonly after: number;
  /** The bearer token by which it reads, of a session or an API token; the stream ends with it. */
  readonly token: string;
}

/** Hands out the logs of runs as they are written. */
export function createLogStreams(
  ctx: Pick<AppContext, 'db' | 'log' | 'notices' | 'config'>,
  slowMs = SLOW_MS,
): {
  /**
   * The log of a run as server-sent events (`logLinesEvent` and `logEndEvent` of the contract), until the run is over.
   * @throws AppError not_found, rate_limited when the user has too many streams open
   */
  open(user: Actor, request: LogRequest): Promise<Readable>;
} {
  const open = new Map<string, number>();
  return {
    async open(user, request) {
      await findInstance(ctx.db, user.id, request.deployId, request.instanceId);
      const others = open.get(user.id) ?? 0;
      if (others >= STREAMS_PER_USER) {
        throw new AppError(
          'rate_limited',
          `You have ${STREAMS_PER_USER} logs open at once, which is the limit.`,
        );
      }
      open.set(user.id, others + 1);
      const stream = streamOf(ctx, user, request, slowMs);
      stream.once('close', () => {
        const left = (open.get(user.id) ?? 1) - 1;
        if (left === 0) open.delete(user.id);
        else open.set(user.id, left);
      });
      return stream;
    },
  };
}

/** Something that happens again and again, for one who waits. */
class Bell {
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

function streamOf(
  ctx: Parameters<typeof createLogStreams>[0],
  user: Actor,
  request: LogRequest,
  slowMs: number,
): Readable {
  const news = new Bell();
  const room = new Bell();
  const unwatch = ctx.notices.watch(logNews(request.instanceId), () => news.ring());
  const stream = new Readable({
    highWaterMark: HELD_BYTES,
    read: () => room.ring(),
    destroy(error, done) {
      unwatch();
      news.ring();
      room.ring();
      done(error);
    },
  });
  const reader = openLogReader(ctx.db, request.instanceId, request.after);
  let seenAt = 0;
  let sentAt = 0;

  /** Hands text on; false when the reader is gone or too slow. */
  async function send(text: string): Promise<boolean> {
    if (stream.destroyed) return false;
    sentAt = Date.now();
    if (stream.push(text)) return true;
    if (!(await room.wait(slowMs))) stream.destroy();
    return !stream.destroyed;
  }

  async function mayRead(): Promise<boolean> {
    if (Date.now() - seenAt < VALID_MS) return true;
    const isValid = await isStillValid(ctx, { bearer: request.token, userId: user.id });
    seenAt = Date.now();
    return isValid;
  }

  async function run(): Promise<void> {
    await send(HEAD);
    while (!stream.destroyed && (await mayRead())) {
      // Whatever a run has printed is there before it is over.
      const { status, left_out: leftOut } = await findInstance(
        ctx.db,
        user.id,
        request.deployId,
        request.instanceId,
      );
      for (let events = await reader.next(); events.length > 0; events = await reader.next()) {
        for (const event of events) {
          const last = event.first + event.text.split('\n').length - 1;
          if (!(await send(`id: ${last}\nevent: lines\ndata: ${JSON.stringify(event)}\n\n`))) return;
        }
        if (!(await mayRead())) return;
      }
      if (isFinished(status)) {
        const end: LogEndEvent = leftOut === null ? { status } : { status, left_out: leftOut };
        await send(`event: end\ndata: ${JSON.stringify(end)}\n\n`);
        return;
      }
      await news.wait(LOOK_MS);
      if (Date.now() - sentAt > QUIET_MS) await send(': still here\n\n');
    }
  }

  run()
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'the stream of a log was cut'))
    .finally(() => {
      if (!stream.destroyed) stream.push(null);
    });
  return stream;
}
