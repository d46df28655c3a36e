/** How often something may happen, for each key. A number is known at once; a promise is, when others had to be asked. */
export interface Rate {
  /**
   * Takes tokens when there is one at least; what is taken beyond the last one is owed, and has to come back first.
   * @returns 0, or when there is none the seconds until there will be one, rounded up
   */
  take(key: string, amount?: number): number | Promise<number>;
  /** Seconds until a token is there, rounded up; 0 when there is one. Takes nothing. */
  wait(key: string): number | Promise<number>;
  /** Takes a token whether there is one or not: for what has happened already. What is owed is bounded by `debt`. */
  charge(key: string): void;
}

export interface RateSettings {
  readonly perSecond: number;
  /** Tokens that may be taken at once after a rest. */
  readonly burst: number;
  /** The most that may be owed; 0 where each takes one that is there. */
  readonly debt?: number;
}

/** Counts calls of a key in windows of time that follow each other. */
export interface RateWindows {
  /**
   * Counts a call.
   * @returns calls of the key in this window, this one included, and milliseconds until it ends
   */
  count(key: string, windowMs: number): Promise<{ calls: number; leftMs: number }>;
}

/** Where rates are counted: in this process, or for all processes on one database together. */
export interface Rates {
  /** @param name tells the keys of a rate from those of others, in all processes */
  open(name: string, settings: RateSettings): Rate;
  /** Undefined where this process counts alone. */
  readonly windows: RateWindows | undefined;
}
