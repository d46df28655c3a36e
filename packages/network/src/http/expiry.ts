import { badRequest } from './request-error.ts';

/**
 * Five minutes, the longest life of a request, and the drift of clocks a node allows on top of it (dfinity/ic,
 * `MAX_INGRESS_TTL` and `PERMITTED_DRIFT_AT_VALIDATOR` in `rs/limits/src/lib.rs`).
 */
const MAX_INGRESS_TTL_NANOS = 300_000_000_000n;
const PERMITTED_DRIFT_NANOS = 30_000_000_000n;

/**
 * Throws `RequestError` 400 unless the request expires between now and five minutes from now. Agents look for
 * exactly this text to find out that their clock is off.
 */
export function checkExpiry(expiryNanos: bigint, nowNanos: bigint): void {
  const latest = nowNanos + MAX_INGRESS_TTL_NANOS + PERMITTED_DRIFT_NANOS;
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
