import { badRequest } from '../transport/request-error.ts';

/**
 * Five minutes, the longest life of a request, and the drift of clocks a node allows on top of it (dfinity/ic,
 * `MAX_INGRESS_TTL` and `PERMITTED_DRIFT_AT_VALIDATOR` in `rs/limits/src/lib.rs`).
 */
const MAX_INGRESS_TTL_NANOS = 300_000_000_000n;
const PERMITTED_DRIFT_NANOS = 30_000_000_000n;

/**
 * Throws `RequestError` 400 unless the request expires between now and five minutes from now. Agents look for
 * exactly this text to find out that their clock is off. Where the network's time is ahead of `machineNanos`, the clock of
 * the machine, since that was set back, agents with the right time and those that follow the network's are both right.
 */
export function checkExpiry(expiryNanos: bigint, timeNanos: bigint, machineNanos = timeNanos): void {
  const nowNanos = machineNanos < timeNanos ? machineNanos : timeNanos;
  const latest = timeNanos + MAX_INGRESS_TTL_NANOS + PERMITTED_DRIFT_NANOS;
  if (expiryNanos >= nowNanos && expiryNanos <= latest) return;
  throw badRequest(
    'Invalid request expiry: Specified ingress_expiry not within expected range: ' +
      `Minimum allowed expiry: ${utc(nowNanos)}, Maximum allowed expiry: ${utc(latest)}, ` +
      `Provided expiry:        ${utc(expiryNanos)}`,
  );
}

/** The last moment a JavaScript date can name, in milliseconds. */
const MAX_DATE_MILLIS = 8_640_000_000_000_000;

/** A moment in Unix nanoseconds, as the replica writes it. */
export function utc(nanos: bigint): string {
  const millis = Math.min(Number(nanos / 1_000_000n), MAX_DATE_MILLIS);
  const fraction = String(nanos % 1_000_000_000n).padStart(9, '0');
  return `${new Date(millis).toISOString().slice(0, 19).replace('T', ' ')}.${fraction} UTC`;
}
