import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../db/database.ts';
import { AppError, StartError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';

/** The advisory lock of payments: 'cnry' in ASCII, which nothing else of this product uses. */
const LOCK = 0x63_6e_72_79;
const CHANNEL = 'cannery_fence';
/** Pause before a lost connection is opened again, in milliseconds. */
const RECONNECT_MS = 500;
/** Longest that a payment waits at the fence, in milliseconds: longer than {@link MOST_HELD_MS}. */
const MOST_WAIT_MS = 15_000;
/** How long payments are held at most before their moment has come, in milliseconds. */
const MOST_HELD_MS = 5_000;

/** How patient the fence is with its connection; all in milliseconds. */
interface Patience {
  /** How often the connection is tried. */
  readonly tryMs: number;
  /** How long an answer may take, and the way to the database. */
  readonly answerMs: number;
  /** How long the lock may take, which a backup may have. */
  readonly lockMs: number;
}

/**
 * A line that was cut in silence says nothing, and where the database has moved to another host the lock is gone with the one
 * before: the window in which payments pass without a lock is as long as the pause between two tries. The lock may take
 * somewhat longer than a backup waits for its moment; asking for it again while a backup writes its checkpoint costs nothing, and
 * behind a dead line a payment that waits still passes within {@link MOST_WAIT_MS}.
 */
const PATIENCE: Patience = { tryMs: 5_000, answerMs: 5_000, lockMs: MOST_HELD_MS + 2_000 };

/**
 * What lets a backup find the books and the network at one moment (decision 0136): no intent of a call that moves cycles or
 * changes code is written while a backup holds it, in no process of the database.
 */
export interface PaymentFence extends AsyncDisposable {
  /**
   * Runs work that writes an intent, when no backup takes its moment.
   * @throws AppError canister_busy after 15 s of waiting; nothing has been done then
   */
  pass<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Each process holds the lock shared, for as long as it lives and whether it pays or not. A backup asks for it alone and tells
 * of that: the process then lets nobody in, waits for those inside, and asks for the lock again behind the backup. One
 * connection holds the lock and hears the news, so that a process that is told nothing holds nothing either; it is tried now and
 * then, so that the process learns that.
 */
export function openPaymentFence(options: {
  readonly connection: Connection;
  readonly log: Pick<Logger, 'debug'>;
  readonly patience?: Patience;
}): PaymentFence {
  const { tryMs, answerMs, lockMs } = options.patience ?? PATIENCE;
  let closed: PromiseWithResolvers<void> | undefined = Promise.withResolvers();
  let inside = 0;
  let emptied: (() => void) | undefined;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function lost(which: pg.Client): void {
    if (client !== which) return;
    client = undefined;
    closed ??= Promise.withResolvers();
    clearTimeout(timer);
    void which.end().catch(() => undefined);
    if (!isStopped) timer = setTimeout(() => void connect(), RECONNECT_MS);
  }

  function open(which: pg.Client): void {
    if (client !== which) return;
    closed?.resolve();
    closed = undefined;
  }

  async function enter(which: pg.Client): Promise<void> {
    const ask = { text: 'select pg_advisory_lock_shared($1)', values: [LOCK], query_timeout: lockMs };
    await which.query(ask as pg.QueryConfig);
    open(which);
  }

  /** Until the database has answered nobody knows whether the lock is still held. */
  async function lookWhetherHeld(which: pg.Client): Promise<void> {
    closed ??= Promise.withResolvers();
    await which.query('select 1');
    open(which);
  }

  async function giveWay(which: pg.Client): Promise<void> {
    closed ??= Promise.withResolvers();
    if (inside > 0) await new Promise<void>((resolve) => (emptied = resolve));
    await which.query('select pg_advisory_unlock_shared($1)', [LOCK]);
    await enter(which);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...options.connection,
      application_name: 'cannery-fence',
      keepAlive: true,
      keepAliveInitialDelayMillis: tryMs,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    client = next;
    next.on('error', () => lost(next));
    next.on('end', () => lost(next));
    let turn: Promise<void> = Promise.resolve();
    const safely = async (before: Promise<void>, work: () => Promise<void>): Promise<void> => {
      await before;
      try {
        await work();
      } catch (error) {
        options.log.debug({ err: error }, 'the fence of payments has lost its connection');
        lost(next);
      }
    };
    const inTurn = (work: () => Promise<void>): Promise<void> => {
      turn = safely(turn, work);
      return turn;
    };
    const keepTrying = (): void => {
      if (client === next)
        timer = setTimeout(() => void inTurn(() => lookWhetherHeld(next)).then(keepTrying), tryMs);
    };
    next.on('notification', () => void inTurn(() => giveWay(next)));
    await inTurn(async () => {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
      await enter(next);
    });
    keepTrying();
  }

  void connect();
  return {
    async pass(work) {
      const deadline = performance.now() + MOST_WAIT_MS;
      while (closed !== undefined) {
        const left = deadline - performance.now();
        if (left <= 0)
          throw new AppError(
            'canister_busy',
            'A backup is being taken, or the database is away. Nothing was done; try again in a moment.',
          );
        await Promise.race([closed.promise, sleep(left, undefined, { ref: false })]);
      }
      inside += 1;
      try {
        return await work();
      } finally {
        inside -= 1;
        if (inside === 0) emptied?.();
      }
    },
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

/** Pause until it is tried again, and how long it is tried: longer than an intent of a killed process waits for its sweeper. */
const PAUSE_MS = 2_000;
const MOST_TRIED_MS = 180_000;
const POLL_MS = 5;
/** What Postgres answers when a lock was not to be had in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Payments stand still: none is under way and none begins. */
export interface HeldPayments {
  /** Lets them go on. @returns for how long they stood, in milliseconds */
  release(): Promise<number>;
}

/**
 * Lets no payment begin, and waits until none is under way.
 * @param client used for nothing else until they are released
 * @throws StartError when payments do not come to rest within three minutes
 */
export async function holdPayments(client: pg.Client): Promise<HeldPayments> {
  const end = performance.now() + MOST_TRIED_MS;
  await client.query(`set lock_timeout = ${MOST_HELD_MS}`);
  for (;;) {
    const start = performance.now();
    if ((await lockAlone(client)) && (await haveEnded(client, start + MOST_HELD_MS))) {
      return {
        async release() {
          await unlock(client);
          return performance.now() - start;
        },
      };
    }
    await unlock(client);
    if (performance.now() > end) {
      throw new StartError(
        'Payments did not come to rest for three minutes, so the books and the network could not be copied at one moment. Look at the log of the server.',
      );
    }
    await sleep(PAUSE_MS);
  }
}

async function lockAlone(client: pg.Client): Promise<boolean> {
  try {
    await client.query('select pg_notify($1, $2)', [CHANNEL, '']);
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

async function unlock(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_unlock_all()');
}

/** Payments that the operator has to decide on are in nobody's hands: they are copied as they are. */
async function haveEnded(client: pg.Client, deadline: number): Promise<boolean> {
  for (;;) {
    const { rows } = await client.query('select 1 from intents where uncertain is null limit 1');
    if (rows.length === 0) return true;
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
}
