import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HookHost } from './hook-hosts.ts';

/** HMAC-SHA256 as hexadecimal digits. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether what a sender proves itself with is right; how long that takes says nothing of the secret. */
export function isProven(
  { before }: HookHost,
  given: string,
  { secret, body }: { secret: string; body: Buffer },
): boolean {
  // Digests are of one length, whatever was sent.
  if (before === null) return timingSafeEqual(digestOf(given), digestOf(secret));
  const expected = createHmac('sha256', secret).update(body).digest();
  const text = given.startsWith(before) ? given.slice(before.length) : '';
  return SIGNATURE.test(text) && timingSafeEqual(Buffer.from(text, 'hex'), expected);
}
