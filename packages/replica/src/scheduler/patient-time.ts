import type { Clock } from '../clock.ts';

/**
 * For how long a jump of the machine's clock is not believed, in nanoseconds: longer than a request can be repeated after it
 * came (five minutes and a half), and its status read (five more).
 */
const DOUBT_NANOS = 900_000_000_000n;

/**
 * The machine's time as far as it is believed: by it requests are forgotten. A clock that jumps ahead is followed at the
 * pace of the steady clock, and believed only when it has stayed ahead for a quarter of an hour: when it jumps back before,
 * nothing is forgotten that may be sent again.
 */
export class PatientTime {
  readonly #clock: Clock;
  #believed: bigint;
  #steady: bigint;
  /** Steady time at which the machine's clock was first seen ahead. */
  #aheadSince: bigint | undefined;

  /** `lastSeen`: the time when the network was stopped; 0 for a new one. */
  constructor(clock: Clock, lastSeen: bigint) {
    this.#clock = clock;
    this.#steady = clock.steady();
    this.#believed = lastSeen > 0n ? lastSeen : clock.machine();
  }

  now(): bigint {
    const [machine, steady] = [this.#clock.machine(), this.#clock.steady()];
    const followed = this.#believed + steady - this.#steady;
    this.#steady = steady;
    // Evenly running clocks differ by little; a second is no jump.
    if (machine <= followed + 1_000_000_000n) {
      this.#aheadSince = undefined;
      this.#believed = machine;
    } else {
      this.#aheadSince ??= steady;
      this.#believed = steady - this.#aheadSince >= DOUBT_NANOS ? machine : followed;
    }
    return this.#believed;
  }
}
