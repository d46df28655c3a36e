import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { outsideRequest } from '../../log/request-context.ts';

/**
 * Pause between two looks at whether transactions of before are over, in milliseconds; it doubles while nobody new waits. One of
 * anybody may take long, and must not cost the others more and more statements.
 */
const LOOK_MS = 100;
const MOST_LOOK_MS = 2_000;

interface Waiting {
  readonly onOver: () => void;
  /** The first transaction that began later; undefined until the database has said it. */
  end: bigint | undefined;
}

/** Tells when transactions are over that were under way at a moment. Of all who wait in this process, one asks the database. */
export class EarlierTransactions {
  readonly #ctx: Pick<AppContext, 'db' | 'log'>;
  readonly #waiting = new Map<object, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = 0;
  #pauseMs = LOOK_MS;
  #isLooking = false;

  constructor(ctx: Pick<AppContext, 'db' | 'log'>) {
    this.#ctx = ctx;
  }

  /**
   * Waits for the transactions that are under way now. Whoever waits already waits for these as well.
   * @param onOver called once when all are over that were under way, and when that cannot be known; not where there are none
   */
  async follow(who: object, onOver: () => void): Promise<void> {
    const waitedBefore = this.#waiting.has(who);
    const mine: Waiting = { onOver, end: undefined };
    this.#waiting.set(who, mine);
    let isOpen = true;
    try {
      const { rows } = await sql<{ end: string; others: number }>`
        select pg_snapshot_xmax(now_open)::text as end, (select count(*)::integer from pg_snapshot_xip(now_open)) as others
        from pg_current_snapshot() as now_open`.execute(this.#ctx.db);
      const [open] = rows;
      isOpen = open !== undefined && open.others > 0;
      if (isOpen) mine.end = BigInt(open?.end ?? 0);
    } catch (error) {
      this.#warn(error);
    }
    if (this.#waiting.get(who) !== mine) return;
    if (mine.end === undefined) {
      this.#waiting.delete(who);
      if (isOpen || waitedBefore) onOver();
      return;
    }
    this.#pauseMs = LOOK_MS;
    if (!this.#isLooking) this.#lookSoon();
  }

  /** Ends the wait of one. */
  forget(who: object): void {
    this.#waiting.delete(who);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookSoon(): void {
    const dueAt = performance.now() + this.#pauseMs;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, MOST_LOOK_MS);
    if (this.#timer !== undefined && this.#dueAt <= dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    this.#timer = outsideRequest(() => setTimeout(() => void this.#look(), pauseMs));
  }

  async #look(): Promise<void> {
    this.#timer = undefined;
    this.#isLooking = true;
    let oldest: bigint | undefined;
    try {
      const { rows } = await sql<{ oldest: string }>`
        select pg_snapshot_xmin(pg_current_snapshot())::text as oldest`.execute(this.#ctx.db);
      if (rows[0] !== undefined) oldest = BigInt(rows[0].oldest);
    } catch (error) {
      this.#warn(error);
    }
    this.#isLooking = false;
    for (const [who, { end, onOver }] of this.#waiting) {
      if (end === undefined || (oldest !== undefined && oldest < end)) continue;
      this.#waiting.delete(who);
      onOver();
    }
    if (this.#waiting.size > 0) this.#lookSoon();
  }

  #warn(error: unknown): void {
    this.#ctx.log.warn({ err: error }, 'it is not known whether a change was missed');
  }
}
