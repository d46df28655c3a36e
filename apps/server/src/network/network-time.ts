import { AppError } from '../errors.ts';

/** A change older than this concerns no call that is still sent, in milliseconds: they live for four minutes. */
const KEPT_MS = 15 * 60_000;
/**
 * A clock that differs by less is right, in milliseconds: a certificate is a few seconds old when it is read, and the network takes what
 * expires within five minutes and a half, of which calls use four.
 */
const RIGHT_MS = 20_000;
/**
 * A clock that moves by more against the steady one was set, or the computer has slept; in milliseconds. NTP makes both of them faster and
 * slower, never one.
 */
const SET_MS = 5_000;
/** For so long a correction is believed, in milliseconds: the clock may be on its way to the right time. */
const CORRECTED_MS = 30_000;

/** The network's time as this computer reckons it. */
export interface NetworkTime {
  /** By how much the network is ahead of this computer's clock, in milliseconds; less than 0 where it is behind. */
  aheadMs(): number;
  /**
   * By how much the embedded network had been set ahead when this computer's clock showed `wallMs`: what is sent again has to be what was sent then.
   * @param wallMs milliseconds since 1970
   */
  setAheadAt(wallMs: number): number;
  /** What this computer's clock would show if it were right, in milliseconds since 1970. */
  clock(): number;
  /** In milliseconds since 1970. */
  now(): number;
}

/** What the network has certified does not fit this computer's clock: its time is to be asked for, and the work begun again. */
export class TimeInDoubtError extends AppError {
  /** A canister whose part of the network is to be asked. */
  readonly near: string;

  constructor(near: string) {
    super('network_unavailable', "The clock of this server differs from the network's time.");
    this.near = near;
  }
}

/**
 * The time of a network: this computer's clock, by how much an embedded network was set ahead, as it says itself (it never goes back),
 * and what its certificates say where this computer's clock is wrong.
 */
export class NetworkClock implements NetworkTime {
  #changes: readonly { readonly fromMs: number; readonly aheadMs: number }[] = [];
  #correctionMs = 0;
  /** What the clock showed when the steady one was at 0, as of when it was last known to be right or corrected. */
  #origin: number | undefined;
  #askedAt = 0;
  #latest = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  /** @param options.isRight whether this computer's clock counts as right before the network has been asked */
  constructor({ isRight }: { isRight: boolean }) {
    this.#origin = isRight ? originNow() : undefined;
  }

  /** Hears from the embedded network by how much it was set ahead. What it says first counts for all that was before. */
  hear(aheadMs: number): void {
    const now = Date.now();
    if (this.#changes.length > 0 && aheadMs === this.#setAhead()) return;
    const isFirst = this.#changes.length === 0;
    const recent = this.#changes.filter((_, place) => {
      const next = this.#changes[place + 1];
      return next === undefined || now - next.fromMs < KEPT_MS;
    });
    this.#changes = [...recent, { fromMs: isFirst ? Number.NEGATIVE_INFINITY : now, aheadMs }];
    // A certificate may have told it first.
    this.#correctionMs = 0;
  }

  /** Whether this computer's clock was set since the network's time was known, so that nothing may be signed by it. */
  isInDoubt(): boolean {
    if (this.#origin === undefined || Math.abs(originNow() - this.#origin) > SET_MS) return true;
    return this.#correctionMs !== 0 && performance.now() - this.#askedAt > CORRECTED_MS;
  }

  /** Has the network asked before anything is signed by its time again. */
  doubt(): void {
    this.#origin = undefined;
  }

  /** Takes another network for the one that was asked so far. */
  forget(): void {
    this.doubt();
    this.#latest = Number.NEGATIVE_INFINITY;
  }

  /**
   * Corrects the time by what the network certifies; whoever asks meanwhile gets the same answer.
   * @param read the moment of a certificate whose age was not looked at
   * @throws what `read` throws, or AppError network_unavailable for a certificate that is older than one before
   */
  ask(read: () => Promise<Date>): Promise<void> {
    this.#asking ??= this.#correct(read).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #correct(read: () => Promise<Date>): Promise<void> {
    const before = this.#setAhead();
    const certified = (await read()).getTime();
    if (certified < this.#latest - RIGHT_MS)
      throw new AppError('network_unavailable', "The network's answer is older than one before.");
    // It was set ahead meanwhile, and the certificate is of before.
    if (this.#setAhead() !== before) return;
    this.#latest = Math.max(this.#latest, certified);
    const off = certified - Date.now() - before;
    this.#correctionMs = Math.abs(off) > RIGHT_MS ? off : 0;
    this.#origin = originNow();
    this.#askedAt = performance.now();
  }

  #setAhead(): number {
    return this.#changes.at(-1)?.aheadMs ?? 0;
  }

  aheadMs(): number {
    return this.#setAhead() + this.#correctionMs;
  }

  setAheadAt(wallMs: number): number {
    return (this.#changes.findLast(({ fromMs }) => fromMs <= wallMs) ?? this.#changes[0])?.aheadMs ?? 0;
  }

  clock(): number {
    return Date.now() + this.#correctionMs;
  }

  now(): number {
    return Date.now() + this.aheadMs();
  }
}

/** What the clock showed when the steady one was at 0, in milliseconds since 1970; another moment as soon as the clock is set. */
function originNow(): number {
  return Date.now() - performance.now();
}
