import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import {
  LeasedBuckets,
  type LendTokens,
  type TokenGrant,
  type TokenRequest,
} from '../fairness/leased-buckets.ts';
import type { Rates, RateWindows } from '../fairness/rates.ts';
import { RecentMap } from '../fairness/recent-map.ts';
import { localRates } from '../fairness/token-buckets.ts';
import type { Logger } from '../log/logger.ts';
import type { Db } from './tx.ts';

/** Requests of one statement; the rows of all are locked until it ends. */
const MOST_AT_ONCE = 200;
/** Requests that wait for a statement; more are refused, and then this process counts alone. */
const MOST_WAITING = 10_000;
/** How long an answer of the database is waited for, in milliseconds. */
const PATIENCE_MS = 1000;
/** Pause between two looks for buckets that are full again, in milliseconds. */
const TIDY_MS = 60_000;
/** Keys that are counted here while the database is away. */
const MOST_WINDOWS = 20_000;

interface Waiting {
  readonly key: string;
  readonly request: TokenRequest;
  resolve(grant: TokenGrant): void;
  reject(error: unknown): void;
}

/**
 * Rates as the settings need them: with the embedded database this process is alone and counts by itself; with a database
 * that others may use, all processes count together.
 */
export function ratesFor(config: { readonly databaseUrl: string | undefined }, db: Db, log: Logger): Rates {
  return config.databaseUrl === undefined ? localRates() : sharedRates(db, log);
}

/** Rates that hold over all processes on a database, by the database's clock (decision 0135). */
function sharedRates(db: Db, log: Pick<Logger, 'warn'>): Rates {
  const lend = lender(db, log);
  return {
    open: (name, settings) => new LeasedBuckets(name, settings, { lend }),
    windows: sharedWindows(db),
  };
}

/** A name of fixed length: keys contain what strangers send, and the database takes not every text. */
function nameOf(name: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([name, key]))
    .digest('base64url');
}

/** Asks the database for the tokens of many keys at once: one statement at a time, with all that came meanwhile. */
function lender(db: Db, log: Pick<Logger, 'warn'>): LendTokens {
  const waiting: Waiting[] = [];
  let isAsking = false;
  let tidiedAt = performance.now();
  let isAway = false;

  async function askAll(): Promise<void> {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_AT_ONCE).sort((a, b) => (a.key < b.key ? -1 : 1));
      try {
        const grants = await inTime(askFor(db, batch));
        for (const [place, one] of batch.entries()) {
          const grant = grants.get(place);
          if (grant === undefined) one.reject(new Error('The database has left out a rate.'));
          else one.resolve(grant);
        }
        isAway = false;
        if (performance.now() - tidiedAt > TIDY_MS) {
          tidiedAt = performance.now();
          // Nobody waits for it.
          tidyUp(db).catch((error: unknown) => log.warn({ err: error }, 'rates could not be tidied up'));
        }
      } catch (error) {
        if (!isAway) log.warn({ err: error }, 'rates are counted by this process alone for the moment');
        isAway = true;
        for (const one of [...batch, ...waiting.splice(0)]) one.reject(error);
      }
    }
    isAsking = false;
  }

  return (request) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MOST_WAITING) {
        reject(new Error('Too many rates wait for the database.'));
        return;
      }
      waiting.push({ key: nameOf(request.name, request.key), request, resolve, reject });
      // What comes in the same turn of the loop goes along.
      if (!isAsking) {
        isAsking = true;
        setImmediate(() => void askAll());
      }
    });
}

/** @throws Error when it takes too long */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The database takes too long to answer.')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Its outcome is of no use any more.
    work.catch(() => undefined);
  }
}

/** @returns grants by the place of their request */
async function askFor(db: Db, batch: readonly Waiting[]): Promise<Map<number, TokenGrant>> {
  const column = (value: (request: TokenRequest) => number): number[] =>
    batch.map(({ request }) => value(request));
  const { rows } = await sql<{ place: number; granted: number; wait_s: number }>`
    select place, granted, wait_s from lease_tokens(
      ${batch.map(({ key }) => key)}::text[],
      ${column(({ settings }) => settings.perSecond)}::float8[],
      ${column(({ settings }) => settings.burst)}::float8[],
      ${column(({ settings }) => settings.debt ?? 0)}::float8[],
      ${column(({ spent }) => spent)}::float8[],
      ${column(({ wanted }) => wanted)}::float8[]
    )`.execute(db);
  return new Map(
    rows.map(({ place, granted, wait_s }) => [place - 1, { granted, waitMs: wait_s * 1000 }] as const),
  );
}

/** Deletes what is as good as absent. What another process counts at this moment is left alone: two that wait for each other would both stop. */
async function tidyUp(db: Db): Promise<void> {
  await sql`delete from rate_buckets where key in
    (select key from rate_buckets where full_at < clock_timestamp() for update skip locked)`.execute(db);
  await sql`delete from rate_windows where key in
    (select key from rate_windows where ends_at < clock_timestamp() for update skip locked)`.execute(db);
}

function sharedWindows(db: Db): RateWindows {
  const alone = new RecentMap<{ calls: number; endsAt: number }>(MOST_WINDOWS);
  const countAlone = (name: string, windowMs: number) => {
    const now = performance.now();
    const known = alone.get(name);
    const window = known === undefined || known.endsAt <= now ? { calls: 0, endsAt: now + windowMs } : known;
    window.calls += 1;
    alone.set(name, window);
    return { calls: window.calls, leftMs: window.endsAt - now };
  };
  return {
    async count(key, windowMs) {
      const name = nameOf('window', key);
      try {
        return await inTime(countInDatabase(db, name, windowMs));
      } catch {
        return countAlone(name, windowMs);
      }
    },
  };
}

async function countInDatabase(
  db: Db,
  name: string,
  windowMs: number,
): Promise<{ calls: number; leftMs: number }> {
  const end = sql`clock_timestamp() + make_interval(secs => ${windowMs / 1000})`;
  // A clock that was set back makes no window longer than it is.
  const { rows } = await sql<{ calls: number; left_ms: number }>`
    insert into rate_windows as kept (key, calls, ends_at) values (${name}, 1, ${end})
    on conflict (key) do update set
      calls = case when kept.ends_at between clock_timestamp() and ${end} then kept.calls + 1 else 1 end,
      ends_at = case when kept.ends_at between clock_timestamp() and ${end} then kept.ends_at else ${end} end
    returning calls, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as left_ms`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database has counted nothing.');
  return { calls: row.calls, leftMs: Math.max(0, row.left_ms) };
}
