import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HookHost } from './hook-hosts.ts';

/** HMAC-SHA256 as hexadecimal digits. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Tells from the bytes of a body, as they come, whether their sender has a secret. */
export interface RunningProof {
  /** Whether no body at all makes it good. */
  readonly isHopeless: boolean;
  update(piece: Uint8Array): void;
  /** After the last piece. */
  isGood(): boolean;
}

/**
 * The proof of a sender who names itself by a header; how long it takes says nothing of the secret.
 * @param given what the header says
 */
export function proofOf({ before }: HookHost, given: string, secret: string): RunningProof {
  const hmac = createHmac('sha256', secret);
  const update = (piece: Uint8Array): void => void hmac.update(piece);
  if (before === null) {
    // Digests are of one length, whatever was sent.
    const isGood = timingSafeEqual(digestOf(given), digestOf(secret));
    return { isHopeless: !isGood, update, isGood: () => isGood };
  }
  const text = given.startsWith(before) ? given.slice(before.length) : '';
  const isHopeless = !SIGNATURE.test(text);
  return {
    isHopeless,
    update,
    isGood: () => !isHopeless && timingSafeEqual(Buffer.from(text, 'hex'), hmac.digest()),
  };
}
