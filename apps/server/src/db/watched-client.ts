import pg from 'pg';
import { hasNoRoom } from '../storage-errors.ts';

/** How long a connection may take to be made, in milliseconds. */
const CONNECT_MS = 10_000;
/** How long the database may say nothing to a statement before it is asked on another connection what it does, in milliseconds. */
const SILENT_MS = 15_000;
/** Looks in a row of which a database that is there knows nothing of the statement, before it is given up. */
const MOST_UNKNOWN = 4;
const SILENT = 'Connection terminated: the database has not answered for long, and does not work on it.';

/**
 * A connection to a database elsewhere, whose host or way there may vanish without a word: nobody would ever answer, and the kernel
 * gives up after a quarter of an hour. A statement that is not answered for long is looked for on a second connection; where the
 * database does not know of it, or cannot be reached either, the connection ends, and the caller learns that the outcome is
 * unknown. A statement that just takes long goes on.
 */
export class WatchedClient extends pg.Client {
  readonly #config: pg.ClientConfig;
  readonly #silentMs: number;
  #heardAt = 0;

  constructor(config: pg.ClientConfig & { readonly silentMs?: number }) {
    const { silentMs = SILENT_MS, ...rest } = config;
    const bounded = {
      ...rest,
      keepAlive: true,
      keepAliveInitialDelayMillis: CONNECT_MS,
      connectionTimeoutMillis: CONNECT_MS,
    };
    super(bounded);
    this.#config = bounded;
    this.#silentMs = silentMs;
    this.connection.stream.on('data', () => {
      this.#heardAt = performance.now();
    });
  }

  // The pool calls this for an answer by promise; the other forms are for callers that watch by themselves.
  override query: pg.Client['query'] = (...given: unknown[]) => {
    const answer: unknown = Reflect.apply(super.query, this, given);
    if (answer instanceof Promise) this.#watch(answer);
    return answer as never;
  };

  #watch(answer: Promise<unknown>): void {
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    answer.then(end, end);
    let unknown = 0;
    const look = async (since: number): Promise<void> => {
      const isQuiet = performance.now() - Math.max(since, this.#heardAt) >= this.#silentMs;
      const found = isQuiet ? await this.#lookFor() : 'at work';
      if (isOver) return;
      unknown = found === 'unknown' ? unknown + 1 : 0;
      if (found === 'away' || unknown >= MOST_UNKNOWN) this.connection.stream.destroy(new Error(SILENT));
      else wait();
    };
    const wait = (): void => {
      timer = setTimeout(look, this.#silentMs, performance.now());
      timer.unref();
    };
    wait();
  }

  /** What the database says of this connection on another one; behind a pooler, which hides it, it knows nothing of it. */
  async #lookFor(): Promise<'at work' | 'unknown' | 'away'> {
    const id: unknown = Reflect.get(this, 'processID');
    const patience = Math.min(CONNECT_MS, this.#silentMs);
    const other = new pg.Client({ ...this.#config, connectionTimeoutMillis: patience });
    other.on('error', () => {});
    try {
      await other.connect();
      const { rows } = await other.query({
        text: "select 1 from pg_stat_activity where pid = $1 and usename = current_user and state = 'active'",
        values: [id],
        query_timeout: patience,
      } as pg.QueryConfig);
      return rows.length > 0 ? 'at work' : 'unknown';
    } catch (error) {
      return hasNoRoom(error) ? 'at work' : 'away';
    } finally {
      void other.end().catch(() => {});
    }
  }
}
