/** A span of time, in nanoseconds since 1970, with both its ends. */
export interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

/** Expiries that are no further apart belong together. */
const GAP_NANOS = 60_000_000_000n;
/** Spans that are kept; they are written with every commit. */
const MOST_SPANS = 4;

/**
 * The expiries of requests that were forgotten. As long as a clock runs evenly these are all in the past; after it was set
 * back some may lie ahead, and a request that expires within them could be one that was carried out before.
 */
export class ForgottenExpiries {
  #spans: readonly Span[];

  constructor(spans: readonly Span[] = []) {
    this.#spans = spans;
  }

  get spans(): readonly Span[] {
    return this.#spans;
  }

  /** Whether a request with this expiry may have been forgotten. */
  cover(expiryNanos: bigint): boolean {
    return this.#spans.some(({ from, to }) => from <= expiryNanos && expiryNanos <= to);
  }

  add(expiries: readonly bigint[]): void {
    for (const expiry of expiries) this.#add(expiry);
  }

  #add(expiry: bigint): void {
    const near = ({ from, to }: Span): boolean => from - GAP_NANOS <= expiry && expiry <= to + GAP_NANOS;
    const touched = this.#spans.filter(near);
    const rest = this.#spans.filter((span) => !near(span));
    this.#spans = shortened([...rest, joined([...touched, { from: expiry, to: expiry }])]);
  }
}

/** The oldest spans become one where there are too many: the present is what matters. */
function shortened(spans: readonly Span[]): readonly Span[] {
  if (spans.length <= MOST_SPANS) return spans;
  const [first, second, ...others] = spans.toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return [joined([first, second].filter((span) => span !== undefined)), ...others];
}

function joined(spans: readonly Span[]): Span {
  return spans.reduce((a, b) => ({ from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to }));
}
