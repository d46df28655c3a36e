import { sql } from 'kysely';
import pg from 'pg';
import type { Connection } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import type { Logger } from '../log/logger.ts';
import { noticesConnected, noticesHeard, noticesLost } from '../metrics/instruments.ts';

/** News between processes that work on one database. They say that something changed; the database says what. */
export interface Notices {
  /**
   * Calls back whenever there is news of a subject, and after a gap in which news may have been missed.
   * @param onNews gets what is told of the subject, if anything is; after a gap undefined
   * @returns what ends it
   */
  watch(subject: string, onNews: (what?: string) => void): () => void;
  stop(): Promise<void>;
}

/** Triggers of the database tell here as well, see `0050-live-notices.ts`. */
const CHANNEL = 'cannery_news';
/** Pause before a lost connection is opened again, in milliseconds. */
const RECONNECT_MS = 500;

/**
 * How often the connection is tried, and how long its answer may take, in milliseconds: a line that was cut in silence says
 * nothing, and news would be missed for ever.
 */
const TRY_MS = 10_000;
const ANSWER_MS = 5000;

/**
 * Tells of a subject to all processes when the transaction commits.
 * @param subject without a space
 * @param what what is told of it
 */
export async function tell(tx: Tx, subject: string, what?: string): Promise<void> {
  const payload = what === undefined ? subject : `${subject} ${what}`;
  await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(tx);
}

/** Listens on one connection for all watchers of this process; while it is lost, watchers look by themselves. */
export function openNotices(options: {
  connection: Connection;
  log: Pick<Logger, 'debug'>;
  /** How often the connection is tried, and how long its answer may take, in milliseconds. */
  patience?: { tryMs: number; answerMs: number };
}): Notices {
  const { tryMs, answerMs } = options.patience ?? { tryMs: TRY_MS, answerMs: ANSWER_MS };
  const watchers = new Map<string, Set<(what?: string) => void>>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let tries: NodeJS.Timeout | undefined;
  let stopped = false;
  let up = false;

  function isUp(is: boolean): void {
    if (is !== up) noticesConnected.add(is ? 1 : -1);
    up = is;
  }

  /** Looks now and then whether the database still hears this connection. */
  function keepTrying(open: pg.Client): void {
    tries = setTimeout(() => {
      open.query('select 1').then(
        () => {
          if (client === open && !stopped) keepTrying(open);
        },
        () => reconnect(open),
      );
    }, tryMs);
  }

  function reconnect(lost: pg.Client): void {
    if (stopped || client !== lost) return;
    client = undefined;
    clearTimeout(tries);
    noticesLost.add({});
    isUp(false);
    void lost.end().catch(() => undefined);
    timer = setTimeout(() => void connect(), RECONNECT_MS);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...options.connection,
      application_name: 'cannery-notices',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client = next;
    next.on('error', () => reconnect(next));
    next.on('end', () => reconnect(next));
    next.on('notification', ({ payload = '' }) => {
      noticesHeard.add({});
      const space = payload.indexOf(' ');
      const [subject, what] = space === -1 ? [payload] : [payload.slice(0, space), payload.slice(space + 1)];
      for (const onNews of watchers.get(subject) ?? []) onNews(what);
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      options.log.debug({ err: error }, 'news of other processes cannot be heard');
      reconnect(next);
      return;
    }
    if (!stopped) keepTrying(next);
    isUp(true);
    for (const every of watchers.values()) for (const onNews of every) onNews();
  }

  void connect();
  return {
    watch(subject, onNews) {
      const those = watchers.get(subject) ?? new Set();
      watchers.set(subject, those.add(onNews));
      return () => {
        those.delete(onNews);
        if (those.size === 0) watchers.delete(subject);
      };
    },
    async stop() {
      stopped = true;
      isUp(false);
      clearTimeout(timer);
      clearTimeout(tries);
      await client?.end().catch(() => undefined);
    },
  };
}
