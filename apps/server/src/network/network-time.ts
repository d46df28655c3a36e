/** A change older than this concerns no call that is still sent, in milliseconds: they live for four minutes. */
const KEPT_MS = 15 * 60_000;

/** The network's time as this computer reckons it: the embedded network may have been set ahead of this computer's clock. */
export interface NetworkTime {
  /** By how much it is ahead, in milliseconds. */
  aheadMs(): number;
  /**
   * By how much it was ahead when this computer's clock showed `wallMs`: what is sent again has to be what was sent then.
   * @param wallMs milliseconds since 1970
   */
  aheadAt(wallMs: number): number;
  /** In milliseconds since 1970. */
  now(): number;
}

/** By how much a network was set ahead, as it says itself. It never goes back. */
export class AheadTime implements NetworkTime {
  #changes: readonly { readonly fromMs: number; readonly aheadMs: number }[] = [];

  /** Hears what the network says. What it says first counts for all that was before. */
  hear(aheadMs: number): void {
    const now = Date.now();
    if (this.#changes.length > 0 && aheadMs === this.aheadMs()) return;
    const isFirst = this.#changes.length === 0;
    const recent = this.#changes.filter((_, place) => {
      const next = this.#changes[place + 1];
      return next === undefined || now - next.fromMs < KEPT_MS;
    });
    this.#changes = [...recent, { fromMs: isFirst ? Number.NEGATIVE_INFINITY : now, aheadMs }];
  }

  aheadMs(): number {
    return this.#changes.at(-1)?.aheadMs ?? 0;
  }

  aheadAt(wallMs: number): number {
    return (this.#changes.findLast(({ fromMs }) => fromMs <= wallMs) ?? this.#changes[0])?.aheadMs ?? 0;
  }

  now(): number {
    return Date.now() + this.aheadMs();
  }
}

/** That of a network that has the time of this computer, as far as anybody has told. */
export const SAME_TIME: NetworkTime = new AheadTime();
