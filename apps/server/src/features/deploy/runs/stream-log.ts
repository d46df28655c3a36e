import type { Readable } from 'node:stream';
import { isFinished, type LogEndEvent } from '@cannery/contract';
import type { Actor, AppContext } from '../../../context.ts';
import { Bell, eventStream, type EventSink, OpenStreams } from '../../../http/answers/event-stream.ts';
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
  slowMs?: number,
): {
  /**
   * The log of a run as server-sent events (`logLinesEvent` and `logEndEvent` of the contract), until the run is over.
   * @throws AppError not_found, rate_limited when the user has too many streams open
   */
  open(user: Actor, request: LogRequest): Promise<Readable>;
} {
  const open = new OpenStreams();
  const full = `You have ${STREAMS_PER_USER} logs open at once, which is the limit.`;
  return {
    async open(user, request) {
      await findInstance(ctx.db, user.id, request.deployId, request.instanceId);
      return open.count([{ of: user.id, most: STREAMS_PER_USER, full }], () =>
        streamOf(ctx, user, request, slowMs),
      );
    },
  };
}

function streamOf(
  ctx: Parameters<typeof createLogStreams>[0],
  user: Actor,
  request: LogRequest,
  slowMs: number | undefined,
): Readable {
  const news = new Bell();
  const unwatch = ctx.notices.watch(logNews(request.instanceId), () => news.ring());
  const reader = openLogReader(ctx.db, request.instanceId, request.after);
  let seenAt = Number.NEGATIVE_INFINITY;

  async function mayRead(): Promise<boolean> {
    if (performance.now() - seenAt < VALID_MS) return true;
    const isValid = await isStillValid(ctx, { bearer: request.token, userId: user.id });
    seenAt = performance.now();
    return isValid;
  }

  async function write(sink: EventSink): Promise<void> {
    while (!sink.isOver && (await mayRead())) {
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
          if (!(await sink.send({ id: last, type: 'lines', data: event }))) return;
        }
        if (!(await mayRead())) return;
      }
      if (isFinished(status)) {
        const end: LogEndEvent = leftOut === null ? { status } : { status, left_out: leftOut };
        await sink.send({ type: 'end', data: end });
        return;
      }
      await news.wait(LOOK_MS);
      await sink.stayAwake();
    }
  }

  return eventStream({
    log: ctx.log,
    write,
    onOver() {
      unwatch();
      news.ring();
    },
    slowMs,
  });
}
