import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { hashSecret } from '../../secrets.ts';
import type { Actor, AppContext } from '../../context.ts';
import { Bell, eventStream, type EventSink, OpenStreams, QUIET_MS } from '../../http/answers/event-stream.ts';
import { isStillValid } from '../api-token/find-caller.ts';
import { LiveWatches } from './live-watches.ts';
import { NowAndThen } from './now-and-then.ts';
import { newsOfUser, PendingNews } from './pending-news.ts';

/** Streams of one user and of one session at a time, in this process: a browser needs one, or one for each tab on show. */
const STREAMS_PER_USER = 16;
const STREAMS_PER_SESSION = 4;
/** A session that has only grown old is noticed after so long, in milliseconds; the end of one is told at once. */
const LOOK_MS = 60_000;
/** News that come so close together are one event, in milliseconds. */
const GATHER_MS = 30;

/** Of what everybody is told. */
const EVERYBODY = 'everybody';
/** All open pages ask again for what everybody is told of, and one stranger can change that without end: so often, in milliseconds. */
const EVERYBODY_MS = 5_000;
/** What is told when one of the user's sessions has ended. */
const SESSIONS = 'sessions';

/** Tells a user's open pages what has changed. */
export function createLiveStreams(
  ctx: Pick<AppContext, 'db' | 'log' | 'notices' | 'config'>,
  slowMs?: number,
): {
  /**
   * The news of a user as server-sent events (`liveChangedEvent` and `liveSignedOutEvent` of the contract), until the session ends.
   * @param token the bearer token of the session
   * @throws AppError rate_limited when the user or the session has too many streams open
   */
  open(user: Actor, token: string): Readable;
} {
  const streams = new OpenStreams();
  const watches = new LiveWatches(ctx);
  const full = 'There are too many pages open at once that are told what changes.';
  return {
    open: (user, token) =>
      streams.count(
        [
          { of: newsOfUser(user.id), most: STREAMS_PER_USER, full },
          { of: `session:${hashSecret(token)}`, most: STREAMS_PER_SESSION, full },
        ],
        () => streamOf(ctx, { user, token, watches, slowMs }),
      ),
  };
}

function streamOf(
  ctx: Parameters<typeof createLiveStreams>[0],
  {
    user,
    token,
    watches,
    slowMs,
  }: { user: Actor; token: string; watches: LiveWatches; slowMs: number | undefined },
): Readable {
  const pending = new PendingNews();
  const news = new Bell();
  const isValid = (): Promise<boolean> => isStillValid(ctx, { bearer: token, userId: user.id });
  // The session may have ended between the look at it and the first notice that is heard.
  let looksAt = 0;
  /** The database may have been away, and have forgotten who watches. */
  let isCutOff = false;
  const onNews = (what?: string): void => {
    if (what === SESSIONS || what === undefined) looksAt = 0;
    if (what === undefined) isCutOff = true;
    else if (what !== SESSIONS) pending.add(what);
    news.ring();
  };
  const subject = newsOfUser(user.id);
  const watcher = {
    onGap: () => {
      pending.add(undefined);
      news.ring();
    },
  };
  const ofEverybody = new NowAndThen(EVERYBODY_MS, onNews);
  const unwatch = [
    ctx.notices.watch(subject, onNews),
    ctx.notices.watch(EVERYBODY, (what) => (what === undefined ? onNews() : ofEverybody.add(what))),
  ];

  async function write(sink: EventSink): Promise<void> {
    while (!sink.isOver) {
      if (performance.now() >= looksAt) {
        looksAt = performance.now() + LOOK_MS;
        if (!(await isValid())) {
          await sink.send({ type: 'signed_out', data: {} });
          return;
        }
        continue;
      }
      if (isCutOff) {
        isCutOff = false;
        await watches.enter(subject, watcher);
        pending.add(undefined);
      }
      const subjects = pending.take();
      if (subjects.length > 0 && !(await sink.send({ type: 'changed', data: subjects }))) return;
      if (await news.wait(QUIET_MS)) await delay(GATHER_MS);
      else await sink.stayAwake();
    }
  }

  return eventStream({
    log: ctx.log,
    prepare: () => watches.enter(subject, watcher),
    write,
    onOver() {
      watches.leave(subject, watcher);
      for (const end of unwatch) end();
      ofEverybody.stop();
      news.ring();
    },
    slowMs,
  });
}
