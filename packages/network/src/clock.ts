/** Source of subnet time, in nanoseconds since 1970-01-01. */
export interface Clock {
  now(): bigint;
}

const NANOS_PER_MS = 1_000_000n;
/** Latest time that can be set, in the year 2255: times are kept in 64 bits with a sign, and must go on from there. */
export const LATEST_TIME_NANOS = 9_000_000_000_000_000_000n;
/** Places in the shared array. */
const OFFSET = 0;
const STOPPED_AT = 1;

/**
 * Subnet time as all threads of the network see it: the wall clock and an offset, or, while time is stopped, one point
 * of time. Lives in shared memory; only the engine thread changes it.
 */
export class SubnetTime {
  readonly #cells: BigInt64Array<SharedArrayBuffer>;

  constructor(buffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.#cells = new BigInt64Array(buffer);
  }

  /** Hands the time to another thread. */
  get buffer(): SharedArrayBuffer {
    return this.#cells.buffer;
  }

  /** By how much subnet time is ahead of the wall clock, in nanoseconds. */
  get offsetNanos(): bigint {
    return Atomics.load(this.#cells, OFFSET);
  }

  set offsetNanos(offset: bigint) {
    Atomics.store(this.#cells, OFFSET, offset);
  }

  now(): bigint {
    const stopped = Atomics.load(this.#cells, STOPPED_AT);
    return stopped === 0n ? wallNanos() + this.offsetNanos : stopped;
  }

  /** From now on it is `nanos`; does not make a difference between past and future. */
  set(nanos: bigint): void {
    this.offsetNanos = nanos - wallNanos();
    if (Atomics.load(this.#cells, STOPPED_AT) !== 0n) Atomics.store(this.#cells, STOPPED_AT, nanos);
  }

  /** Time stands still, at `nanos`, but for `set`. */
  stop(nanos: bigint): void {
    Atomics.store(this.#cells, STOPPED_AT, nanos);
  }
}

function wallNanos(): bigint {
  return BigInt(Date.now()) * NANOS_PER_MS;
}

/**
 * Subnet time that never runs backwards: a canister must never observe time going down, also when the host's clock is
 * set back or the network is restarted (`notBefore`: last time seen before the restart).
 */
export function systemClock(notBefore = 0n, time = new SubnetTime()): Clock {
  let last = notBefore;
  return {
    now() {
      const now = time.now();
      last = now > last ? now : last;
      return last;
    },
  };
}
