import { createHash, hash as hashAtOnce } from 'node:crypto';
import { sodium } from './sodium.ts';

/** Up to this many bytes libsodium is faster than the crypto library, which costs more for a call and less for a byte. */
const SMALL_LENGTH = 128;
/** Up to this many bytes it is cheaper to put the parts together than to hand them over one by one. */
const JOINED_LENGTH = 16_384;

/**
 * What the library writes into. A small array gets memory outside the heap when native code touches it, which takes as long
 * as the hash; a copy of this one does not.
 */
const written = new Uint8Array(32);

/** SHA-256 over the concatenation of `parts`. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  if (length > JOINED_LENGTH) return hashInPieces(parts);
  const [first] = parts;
  const whole = first && parts.length === 1 ? first : Buffer.concat(parts, length);
  if (sodium === null || length > SMALL_LENGTH) return hashAtOnce('sha256', whole, 'buffer');
  sodium.crypto_hash_sha256(written, whole);
  return written.slice();
}

function hashInPieces(parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The self-authenticating principal of a DER public key: SHA-224 of the key and the byte 2. */
export function selfAuthenticatingId(derPublicKey: Uint8Array): Uint8Array {
  const id = new Uint8Array(29);
  id.set(createHash('sha224').update(derPublicKey).digest());
  id[28] = 2;
  return id;
}

/** A domain separator of the interface specification: one length byte, then the name. */
export function domainSeparator(name: string): Uint8Array {
  return Uint8Array.of(name.length, ...new TextEncoder().encode(name));
}
