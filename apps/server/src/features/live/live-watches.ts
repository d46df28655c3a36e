import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { outsideRequest } from '../../log/request-context.ts';
import { EarlierTransactions } from './earlier-transactions.ts';

/** For so long a process that dies has changes told to nobody, in seconds. */
const WATCH_S = 60;
const RENEW_MS = 20_000;

/** One who is told of the changes of a user. */
export interface Watcher {
  /** Something may have been missed. */
  readonly onGap: () => void;
}

/**
 * Has the database tell of those users whose pages this process serves (`0050-live-notices.ts`). It tells of them from the moment at
 * which `enter` is done.
 */
export class LiveWatches {
  readonly #ctx: Pick<AppContext, 'db' | 'log'>;
  readonly #process = randomUUID();
  readonly #watched = new Map<string, Set<Watcher>>();
  readonly #earlier: EarlierTransactions;
  #timer: NodeJS.Timeout | undefined;
  #renewedAt = 0;

  constructor(ctx: Pick<AppContext, 'db' | 'log'>) {
    this.#ctx = ctx;
    this.#earlier = new EarlierTransactions(ctx);
  }

  /** May be called again for a watcher, when the database may have forgotten it. @throws what the database throws */
  async enter(subject: string, watcher: Watcher): Promise<void> {
    const watchers = this.#watched.get(subject) ?? new Set();
    this.#watched.set(subject, watchers.add(watcher));
    if (this.#timer === undefined) {
      this.#renewedAt = performance.now();
      this.#timer = outsideRequest(() => setInterval(() => void this.#renew(), RENEW_MS));
    }
    await this.#write([subject]);
    // It may have been left meanwhile. A transaction that was under way may have looked for the watch before, and tells nothing.
    if (this.#watched.get(subject)?.has(watcher) === true)
      void this.#earlier.follow(watcher, () => watcher.onGap());
  }

  leave(subject: string, watcher: Watcher): void {
    const watchers = this.#watched.get(subject);
    watchers?.delete(watcher);
    this.#earlier.forget(watcher);
    // The row is left to grow old: most who leave a page open another one.
    if (watchers?.size === 0) this.#watched.delete(subject);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #write(subjects: readonly string[]): Promise<void> {
    await sql`insert into live_watches (subject, process, until)
      select subject, ${this.#process}, now() + make_interval(secs => ${WATCH_S})
      from unnest(${subjects}::text[]) as subject
      on conflict (subject, process) do update set until = excluded.until`.execute(this.#ctx.db);
  }

  async #renew(): Promise<void> {
    try {
      await this.#write([...this.#watched.keys()]);
      await sql`delete from live_watches where until < now()`.execute(this.#ctx.db);
      const wasLate = performance.now() - this.#renewedAt > WATCH_S * 1_000;
      this.#renewedAt = performance.now();
      if (!wasLate) return;
      for (const watchers of this.#watched.values()) for (const { onGap } of watchers) onGap();
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'changes may not be told to open pages');
    }
  }
}
