/** Source of subnet time, in nanoseconds since 1970-01-01. */
export interface Clock {
  now(): bigint;
}

/**
 * Wall-clock time that never runs backwards: a canister must never observe time going down, also when the
 * host's clock is set back or the network is restarted (`notBefore`: last time seen before the restart).
 */
export function systemClock(notBefore = 0n): Clock {
  let last = notBefore;
  return {
    now() {
      const wall = BigInt(Date.now()) * 1_000_000n;
      last = wall > last ? wall : last;
      return last;
    },
  };
}
