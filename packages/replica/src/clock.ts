/** Source of subnet time, in nanoseconds since 1970-01-01. */
export interface Clock {
  /** Subnet time: it never runs back, whatever the clock of the machine does. */
  now(): bigint;
  /**
   * What the clock of the machine says, with what was set on top. It is behind `now` after the clock was set back, and what
   * others date by their own clocks is measured against it.
   */
  machine(): bigint;
  /** Nanoseconds from some start, at an even pace: no change of the machine's clock shows, and no move of subnet time. */
  steady(): bigint;
}

/** The two clocks of a machine. */
export interface MachineClock {
  /** Nanoseconds since 1970; may jump. */
  wallNanos(): bigint;
  /** Nanoseconds from some start, the same for all threads; never jumps. */
  steadyNanos(): bigint;
}

const NANOS_PER_MS = 1_000_000n;
/** Latest time that can be set, in the year 2255: times are kept in 64 bits with a sign, and must go on from there. */
export const LATEST_TIME_NANOS = 9_000_000_000_000_000_000n;
/** What is said of a later one. */
export const TOO_FAR = 'Time cannot be set that far ahead.';
/** Places in the shared array. */
const [OFFSET, STOPPED_AT, LAST, SLOW_FROM, MOVED] = [0, 1, 2, 3, 4];
const CELLS = 5;
/** While subnet time is ahead of the machine's clock it runs at half its pace, so that they meet again. */
const SLOWER = 2n;

const thisMachine: MachineClock = {
  wallNanos: () => BigInt(Date.now()) * NANOS_PER_MS,
  steadyNanos: () => process.hrtime.bigint(),
};

/**
 * Subnet time as all threads of the network see it: the clock of the machine and an offset, or, while time is stopped, one
 * point of time. It lives in shared memory, with the last time that any thread was given: no thread is given an earlier one.
 * Only the engine thread sets it.
 */
export class SubnetTime implements Clock {
  readonly #cells: BigInt64Array<SharedArrayBuffer>;
  readonly #host: MachineClock;

  constructor(
    buffer = new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT),
    host: MachineClock = thisMachine,
  ) {
    this.#cells = new BigInt64Array(buffer);
    this.#host = host;
  }

  /** Hands the time to another thread. */
  get buffer(): SharedArrayBuffer {
    return this.#cells.buffer;
  }

  /** By how much subnet time was set ahead of the machine's clock, in nanoseconds. */
  get offsetNanos(): bigint {
    return Atomics.load(this.#cells, OFFSET);
  }

  set offsetNanos(offset: bigint) {
    Atomics.store(this.#cells, OFFSET, offset);
  }

  now(): bigint {
    const machine = this.machine();
    const last = Atomics.load(this.#cells, LAST);
    if (machine >= last) {
      if (Atomics.load(this.#cells, SLOW_FROM) !== 0n) Atomics.store(this.#cells, SLOW_FROM, 0n);
      return this.#raise(machine, last);
    }
    return this.#raise(this.#slowTime(last), last);
  }

  machine(): bigint {
    const stopped = Atomics.load(this.#cells, STOPPED_AT);
    return stopped === 0n ? this.#host.wallNanos() + this.offsetNanos : stopped;
  }

  steady(): bigint {
    return this.#host.steadyNanos() + this.offsetNanos - Atomics.load(this.#cells, MOVED);
  }

  /** By how much subnet time is ahead of the machine's clock because that was set back, in nanoseconds. */
  aheadNanos(): bigint {
    const ahead = this.now() - this.machine();
    return ahead > 0n ? ahead : 0n;
  }

  /** From now on it is `nanos`, unless it is later already. */
  set(nanos: bigint): void {
    this.offsetNanos = nanos - this.#host.wallNanos();
    if (Atomics.load(this.#cells, STOPPED_AT) !== 0n) Atomics.store(this.#cells, STOPPED_AT, nanos);
  }

  /** It is later by `nanos` than it was; whatever time that takes passes as well. */
  moveBy(nanos: bigint): void {
    const by = nanos + this.aheadNanos();
    this.offsetNanos += by;
    const stopped = Atomics.load(this.#cells, STOPPED_AT);
    if (stopped === 0n) Atomics.add(this.#cells, MOVED, by);
    else Atomics.store(this.#cells, STOPPED_AT, stopped + by);
  }

  /** Time stands still, at `nanos`, but for `set`. */
  stop(nanos: bigint): void {
    Atomics.store(this.#cells, STOPPED_AT, nanos);
  }

  /** Time that stood still runs on from where it is, or from the machine's clock where that is ahead. */
  run(): void {
    const ahead = this.now() - this.#host.wallNanos();
    this.offsetNanos = ahead > 0n ? ahead : 0n;
    Atomics.store(this.#cells, STOPPED_AT, 0n);
  }

  /** It is not before `nanos`: the last time that was seen before a restart. */
  continueFrom(nanos: bigint): void {
    this.#raise(nanos, Atomics.load(this.#cells, LAST));
  }

  /** A time after `last` while the machine's clock is behind: one cell says where the slow time began, for all threads. */
  #slowTime(last: bigint): bigint {
    if (Atomics.load(this.#cells, STOPPED_AT) !== 0n) return last;
    const passed = this.#host.steadyNanos() / SLOWER;
    const known = Atomics.compareExchange(this.#cells, SLOW_FROM, 0n, last - passed);
    return (known === 0n ? last - passed : known) + passed;
  }

  /** Keeps the later one of `nanos` and what others were given. */
  #raise(nanos: bigint, last: bigint): bigint {
    let seen = last;
    while (nanos > seen) {
      const found = Atomics.compareExchange(this.#cells, LAST, seen, nanos);
      if (found === seen) return nanos;
      seen = found;
    }
    return seen;
  }
}

/** Subnet time that goes on from `notBefore`, the last time that was seen before a restart. */
export function systemClock(notBefore = 0n, time = new SubnetTime()): Clock {
  time.continueFrom(notBefore);
  return time;
}

/** A clock that shows one time only. */
export function stoppedClock(nanos: bigint): Clock {
  const show = (): bigint => nanos;
  return { now: show, machine: show, steady: show };
}

/**
 * For how long a jump of the machine's clock is not believed, in nanoseconds: longer than a request can be repeated after it
 * came (five minutes and a half), and its status read (five more).
 */
const DOUBT_NANOS = 900_000_000_000n;

/**
 * The machine's time as far as it is believed: by it requests are forgotten. A clock that jumps ahead is followed at the
 * pace of the steady clock, and believed only when it has stayed ahead for a quarter of an hour: when it jumps back before,
 * nothing is forgotten that may be sent again. So it is where subnet time is moved while it runs: what became of a call that was under
 * way then is still known to who waits for it.
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
