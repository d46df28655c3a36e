import type { Rate, RateSettings } from './rates.ts';
import { RecentMap } from './recent-map.ts';
import { TokenBuckets } from './token-buckets.ts';

/** What is asked of whoever keeps the buckets of all processes. */
export interface TokenRequest {
  /** Name of the rate, and key. */
  readonly name: string;
  readonly key: string;
  readonly settings: RateSettings;
  /** Tokens that were taken and not asked for; below zero those that come back unused. */
  readonly spent: number;
  readonly wanted: number;
}

export interface TokenGrant {
  /** Tokens that are this process's now; 0 when there is not one. */
  readonly granted: number;
  /** Milliseconds until there will be one, when there is none. */
  readonly waitMs: number;
}

/** @throws whatever keeps the buckets from being asked */
export type LendTokens = (request: TokenRequest) => Promise<TokenGrant>;

/** Tokens are taken out of the common bucket in portions: this part of the most that may be taken at once. */
const PORTION = 1 / 16;
/** A portion below this is asked for when it is needed, not ahead. */
const SMALLEST_AHEAD = 4;
/** What is left of a portion goes back after so long, in milliseconds. */
const LEASE_MS = 10_000;
/** After a refusal nobody asks again for so long, in milliseconds: refusing must cost less than calling. */
const REFUSED_MS = 200;
/** For so long this process counts alone when the common buckets cannot be asked, in milliseconds. */
const ALONE_MS = 1000;
/** Keys whose portions are kept, some 200 bytes each; those that were used longest ago go first. */
const MOST_KEYS = 20_000;

interface Lease {
  /** Tokens; below zero what is owed. */
  left: number;
  /** When the latest portion came, in milliseconds. */
  at: number;
  refusedUntil: number;
  asking: Promise<void> | undefined;
  /** Who wait for tokens. */
  waiting: number;
}

/**
 * Buckets that several processes share. Each takes tokens in small portions and hands them out without asking; the next
 * portion is on its way before the last one is used up. All processes together never take more than the common bucket
 * holds: what a process has not been given it does not hand out. While the bucket cannot be asked, each counts alone.
 */
export class LeasedBuckets implements Rate {
  readonly #name: string;
  readonly #settings: RateSettings;
  readonly #lend: LendTokens;
  readonly #now: () => number;
  readonly #portion: number;
  readonly #leases = new RecentMap<Lease>(MOST_KEYS);
  readonly #alone: TokenBuckets;
  #aloneUntil = Number.NEGATIVE_INFINITY;

  constructor(
    name: string,
    settings: RateSettings,
    options: { lend: LendTokens; now?: (() => number) | undefined },
  ) {
    this.#name = name;
    this.#settings = settings;
    this.#lend = options.lend;
    this.#now = options.now ?? (() => performance.now());
    this.#portion = Math.max(1, Math.floor(settings.burst * PORTION));
    this.#alone = new TokenBuckets({ ...settings, now: this.#now });
  }

  take(key: string, amount = 1): number | Promise<number> {
    const lease = this.#leaseOf(key);
    if (!this.#has(lease)) {
      return this.#isRefused(lease) ? this.#secondsOf(lease) : this.#takeLater(key, lease, amount);
    }
    this.#spend(key, lease, amount);
    return 0;
  }

  wait(key: string): number | Promise<number> {
    return this.take(key, 0);
  }

  charge(key: string): void {
    if (this.#now() < this.#aloneUntil) this.#alone.charge(key);
    else this.#spend(key, this.#leaseOf(key), 1);
  }

  #spend(key: string, lease: Lease, amount: number): void {
    lease.left -= amount;
    if (lease.left < 0 || (this.#isLow(lease) && !this.#isRefused(lease))) void this.#ask(key, lease);
  }

  #leaseOf(key: string): Lease {
    const known = this.#leases.get(key);
    if (known !== undefined) return known;
    const lease: Lease = {
      left: 0,
      at: Number.NEGATIVE_INFINITY,
      refusedUntil: Number.NEGATIVE_INFINITY,
      asking: undefined,
      waiting: 0,
    };
    this.#leases.set(key, lease);
    return lease;
  }

  #has(lease: Lease): boolean {
    return lease.left >= 1 && this.#now() - lease.at < LEASE_MS;
  }

  #isLow({ left }: Lease): boolean {
    return this.#portion >= SMALLEST_AHEAD && left < this.#portion / 2;
  }

  #isRefused(lease: Lease): boolean {
    return this.#now() < lease.refusedUntil;
  }

  #secondsOf(lease: Lease): number {
    return Math.max(1, Math.ceil((lease.refusedUntil - this.#now()) / 1000));
  }

  async #takeLater(key: string, lease: Lease, amount: number): Promise<number> {
    lease.waiting += 1;
    try {
      for (;;) {
        if (this.#has(lease)) {
          this.#spend(key, lease, amount);
          return 0;
        }
        if (this.#isRefused(lease)) return this.#secondsOf(lease);
        if (this.#now() < this.#aloneUntil) return this.#alone.take(key, amount);
        await this.#ask(key, lease);
      }
    } finally {
      lease.waiting -= 1;
    }
  }

  /** Asks for a portion, once at a time for each key. Never throws. */
  #ask(key: string, lease: Lease): Promise<void> {
    lease.asking ??= this.#askNow(key, lease).finally(() => {
      lease.asking = undefined;
      // What was spent meanwhile: another process does not know of a debt until it is told.
      if (lease.left < 0 && this.#now() >= this.#aloneUntil) void this.#ask(key, lease);
    });
    return lease.asking;
  }

  async #askNow(key: string, lease: Lease): Promise<void> {
    // What is owed is told, and what has grown old goes back.
    const isTold = lease.left < 0 || this.#now() - lease.at >= LEASE_MS;
    const told = isTold ? lease.left : 0;
    lease.left -= told;
    const wanted = Math.max(this.#portion, lease.waiting) - lease.left;
    try {
      const request = { name: this.#name, key, settings: this.#settings, spent: 0 - told, wanted };
      const { granted, waitMs } = await this.#lend(request);
      if (granted > 0) {
        lease.left += granted;
        lease.at = this.#now();
      } else lease.refusedUntil = this.#now() + Math.max(REFUSED_MS, waitMs);
    } catch {
      lease.left += told;
      this.#aloneUntil = this.#now() + ALONE_MS;
    }
  }
}
