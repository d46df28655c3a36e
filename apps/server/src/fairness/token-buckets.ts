import type { Rate, RateSettings, Rates } from './rates.ts';
import { RecentMap } from './recent-map.ts';

/** Buckets that are kept, about 150 bytes each; those that were used longest ago go first. */
const MOST_BUCKETS = 20_000;

interface Bucket {
  tokens: number;
  /** When `tokens` was true, in milliseconds. */
  at: number;
}

/** How often something may happen in this process, for each key: a steady rate, and a number at once after a rest. */
export class TokenBuckets implements Rate {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #debt: number;
  readonly #now: () => number;
  readonly #buckets = new RecentMap<Bucket>(MOST_BUCKETS);

  constructor(options: RateSettings & { now?: (() => number) | undefined }) {
    this.#perMs = options.perSecond / 1000;
    this.#burst = options.burst;
    this.#debt = options.debt ?? 0;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Takes tokens when there is one at least; what is taken beyond the last one is owed, and has to come back first.
   * @returns 0, or when there is none the seconds until there will be one, rounded up
   */
  take(key: string, amount = 1): number {
    const bucket = this.#filled(key);
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) return this.#secondsUntilOne(bucket);
    bucket.tokens -= amount;
    return 0;
  }

  /** Seconds until a token is there, rounded up; 0 when there is one. Takes nothing. */
  wait(key: string): number {
    const bucket = this.#filled(key);
    return bucket.tokens < 1 ? this.#secondsUntilOne(bucket) : 0;
  }

  charge(key: string): void {
    const bucket = this.#filled(key);
    this.#buckets.set(key, bucket);
    bucket.tokens = Math.max(-this.#debt, bucket.tokens - 1);
  }

  #secondsUntilOne(bucket: Bucket): number {
    return Math.max(1, Math.ceil((1 - bucket.tokens) / this.#perMs / 1000));
  }

  #filled(key: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#burst, at: now };
    bucket.tokens = Math.min(this.#burst, bucket.tokens + (now - bucket.at) * this.#perMs);
    bucket.at = now;
    return bucket;
  }
}

/** Rates of a process that serves alone. @param now the time in milliseconds, from any start */
export function localRates(now?: () => number): Rates {
  return { open: (_name, settings) => new TokenBuckets({ ...settings, now }), windows: undefined };
}
