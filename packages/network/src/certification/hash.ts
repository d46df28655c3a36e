import { createHash } from 'node:crypto';

/** SHA-256 over the concatenation of `parts`. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
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
