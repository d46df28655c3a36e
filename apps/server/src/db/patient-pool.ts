import pg from 'pg';
import { hasNoRoom } from '../storage-errors.ts';

/** How long a connection waits for room in the database, in milliseconds: idle ones of other processes end after ten seconds. */
const MOST_WAIT_MS = 15_000;
/** Pause before it is asked again, in milliseconds; at most twice as long, so that processes do not ask together. */
const PAUSE_MS = 500;

type OnConnected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/**
 * A pool of a database that other processes use too. While that has as many connections as it takes, whoever needs one waits: for room
 * there, or until another user of this pool gives one back, which is for one of those who wait.
 */
export class PatientPool extends pg.Pool {
  readonly #waiting = new Set<() => void>();

  constructor(config: pg.PoolConfig) {
    super(config);
    this.on('release', () => {
      const [first] = this.#waiting;
      if (first === undefined) return;
      // The next connection that is given back is for the next one.
      this.#waiting.delete(first);
      first();
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(onEnd: OnConnected): void;
  override connect(onEnd?: OnConnected): Promise<pg.PoolClient> | void {
    if (onEnd !== undefined) return super.connect(onEnd);
    return this.#connectInTime();
  }

  async #connectInTime(): Promise<pg.PoolClient> {
    for (const end = performance.now() + MOST_WAIT_MS; ; ) {
      try {
        return await super.connect();
      } catch (error) {
        if (!hasNoRoom(error) || performance.now() > end) throw error;
      }
      await this.#pause();
    }
  }

  /** Until a connection is given back, or there may be room again. */
  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, PAUSE_MS * (1 + Math.random()));
    this.#waiting.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}
