import { AppError } from '../errors.ts';
import { ratesRefused } from '../metrics/instruments.ts';

export interface FairLimits {
  /** Pieces of work that run at the same time, of all tenants together. */
  readonly most: number;
  /** Of these, how many one tenant may have. */
  readonly perTenant: number;
  /** How many more of one tenant may wait; what comes on top is refused. */
  readonly waitingPerTenant: number;
  /** What is waited for, as the refusal calls it: 'calls', 'clones and pushes'. */
  readonly what: string;
}

/** Seconds after which a refused caller may try again: most work is done by then. */
const RETRY_SECONDS = 2;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets a few pieces of work run at the same time and is fair to tenants: a free place goes to the next tenant in the
 * round, so that nobody waits for another tenant's backlog.
 */
export class FairSemaphore {
  readonly #limits: FairLimits;
  /** Tenants with work, the one whose turn is next first. */
  readonly #lines = new Map<string, Line>();
  #running = 0;

  constructor(limits: FairLimits) {
    this.#limits = limits;
  }

  /**
   * Runs work when the tenant's turn comes, and answers or throws what it does.
   * @throws AppError rate_limited when too much of this tenant waits already; the signal's reason when it aborts first.
   */
  async take<T>(tenant: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(tenant, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Like {@link take}, for work that is no one function: waits for a place and answers what gives it back. */
  async enter(tenant: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const line = this.#lines.get(tenant) ?? { running: 0, waiting: [] };
    this.#lines.set(tenant, line);
    if (this.#running < this.#limits.most && line.running < this.#limits.perTenant) this.#start(line);
    else await this.#wait(tenant, line, signal);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#end(tenant, line);
    };
  }

  #start(line: Line): void {
    this.#running += 1;
    line.running += 1;
  }

  async #wait(tenant: string, line: Line, signal: AbortSignal | undefined): Promise<void> {
    const { waitingPerTenant, what } = this.#limits;
    if (line.waiting.length >= waitingPerTenant) {
      this.#forget(tenant, line);
      ratesRefused.add({ kind: 'turns' });
      throw new AppError('rate_limited', `You have too many ${what} under way.`, {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    const turn = Promise.withResolvers<void>();
    line.waiting.push(turn.resolve);
    const abort = (): void => {
      const place = line.waiting.indexOf(turn.resolve);
      if (place < 0) return;
      line.waiting.splice(place, 1);
      this.#forget(tenant, line);
      turn.reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort);
    await turn.promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Strangers who come from many addresses and go away would fill the memory, and each end of work looks at every line. */
  #forget(tenant: string, line: Line): void {
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(tenant);
  }

  #end(tenant: string, line: Line): void {
    this.#running -= 1;
    line.running -= 1;
    this.#forget(tenant, line);
    for (const [next, candidate] of this.#lines) {
      const start = candidate.running < this.#limits.perTenant ? candidate.waiting.shift() : undefined;
      if (start === undefined) continue;
      // Whoever was served goes to the end of the round.
      this.#lines.delete(next);
      this.#lines.set(next, candidate);
      this.#start(candidate);
      start();
      return;
    }
  }
}
