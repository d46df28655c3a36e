import { setTimeout as delay } from 'node:timers/promises';
import { AppError, isNetworkAway } from '../../errors.ts';

/** How long work for which nobody waits as for an answer waits for the network: as long as for a git role (decision 0153). */
export const NETWORK_PATIENCE_MS = 90_000;
const AGAIN_MS = 500;
/** For so long whatever ends work still asks once the wait is over, in milliseconds: the network may be back. */
const LAST_MS = 2_000;
/** How often a limit looks whether the network is back, while it is away; milliseconds. */
const LOOK_MS = 100;

/** The network has not answered for as long as it was to be waited for, or nobody wants the answer any more: it is not asked again. */
export class NetworkGivenUpError extends AppError {
  constructor({ code, message, detail, cause }: AppError, waitedMs: number) {
    const waited = `It was waited for ${Math.round(waitedMs / 1000)} s.`;
    super(code, message, { detail: detail === undefined ? waited : `${detail} ${waited}`, cause });
  }
}

/**
 * The patience of one piece of work with a network that is away for seconds: whatever it asks of the network waits, and the first to be
 * answered says that the network is back. Only what has no second effect may be asked through it.
 */
export class NetworkPatience {
  readonly #signal: AbortSignal;
  readonly #say: (line: string) => void;
  readonly #longestMs: number;
  #awaySince: number | null = null;
  /** Milliseconds of waits that are over. */
  #waitedMs = 0;
  #outages = 0;

  /**
   * @param options.signal ends every wait at once
   * @param options.say told when a wait begins and when it is over
   * @param options.longestMs of one wait
   */
  constructor(options: { signal: AbortSignal; say: (line: string) => void; longestMs?: number }) {
    this.#signal = options.signal;
    this.#say = options.say;
    this.#longestMs = options.longestMs ?? NETWORK_PATIENCE_MS;
  }

  /** How often the network was away so far. */
  get outages(): number {
    return this.#outages;
  }

  /**
   * Asks something of the network, again and again while it is away.
   * @param ask must have no second effect
   * @throws what `ask` throws when the network has answered; NetworkGivenUpError when the wait is over without an answer
   */
  async through<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      const begunAt = performance.now();
      try {
        const since = this.#awaySince;
        const answer = await (since === null ? ask() : this.#whilePatient(since, ask));
        this.#answered(begunAt);
        return answer;
      } catch (error) {
        if (!isNetworkAway(error)) {
          if (error instanceof AppError) this.#answered(begunAt);
          throw error;
        }
        if (error instanceof NetworkGivenUpError) throw error;
        await this.#pause(error);
      }
    }
  }

  /** Fires when the network has been there for a number of milliseconds: waits do not count, as far as they were allowed. */
  limit(ms: number): AbortSignal {
    const limit = new AbortController();
    const end = this.#thereMs() + ms;
    const look = (): void => {
      const left = end - this.#thereMs();
      if (left <= 0) limit.abort(new DOMException('The time is over.', 'TimeoutError'));
      else setTimeout(look, Math.max(left, LOOK_MS)).unref();
    };
    look();
    return limit.signal;
  }

  #thereMs(): number {
    const now = performance.now();
    return now - this.#waitedMs - (this.#awaySince === null ? 0 : this.#waitSince(this.#awaySince, now));
  }

  #waitSince(since: number, now: number): number {
    return Math.min(now - since, this.#longestMs);
  }

  /** An answer to what was asked before the network went away says nothing. */
  #answered(askedAt: number): void {
    if (this.#awaySince === null || askedAt < this.#awaySince) return;
    this.#waitedMs += this.#waitSince(this.#awaySince, performance.now());
    this.#awaySince = null;
    if (!this.#signal.aborted) this.#say('The network answers again.');
  }

  /** Asks once more, for no longer than the wait may last: a network that takes connections and says nothing answers late. */
  async #whilePatient<T>(awaySince: number, ask: () => Promise<T>): Promise<T> {
    const rest = awaySince + this.#longestMs - performance.now();
    const left = this.#signal.aborted || rest <= 0 ? LAST_MS : rest;
    const over = Promise.withResolvers<never>();
    // Given up for certain: a timer may end a moment before its time, which is no reason to begin the last question.
    const end = (): void => {
      const silent = new AppError('network_unavailable', 'The network does not answer.');
      over.reject(new NetworkGivenUpError(silent, performance.now() - awaySince));
    };
    const timer = setTimeout(end, left);
    this.#signal.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([ask(), over.promise]);
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener('abort', end);
      over.promise.catch(() => undefined);
    }
  }

  async #pause(error: AppError): Promise<void> {
    const now = performance.now();
    if (this.#signal.aborted) throw new NetworkGivenUpError(error, 0);
    if (this.#awaySince === null) {
      this.#awaySince = now;
      this.#outages += 1;
      this.#say(`The network does not answer. Waiting for it, ${this.#longestMs / 1000} s at most.`);
    }
    const waited = now - this.#awaySince;
    if (waited >= this.#longestMs) throw new NetworkGivenUpError(error, waited);
    await delay(AGAIN_MS, undefined, { signal: this.#signal }).catch(() => {
      throw new NetworkGivenUpError(error, waited);
    });
  }
}
