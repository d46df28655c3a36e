import { type KeyObject, sign, verify } from 'node:crypto';
import { sodium } from './sodium.ts';

/** Bytes of an Ed25519 key, which PKCS #8 and SPKI end with (RFC 8410), and of a signature. */
const KEY_BYTES = 32;
const SECRET_BYTES = 64;
const SIGNATURE_BYTES = 64;

/** The 64-byte signature over a message. */
export type Sign = (message: Uint8Array) => Uint8Array;
/** Whether a signature over a message is good. */
export type Verify = (message: Uint8Array, signature: Uint8Array) => boolean;

/** Signs with a private Ed25519 key (RFC 8032). */
export function ed25519Signer(key: KeyObject, library = sodium): Sign {
  if (library === null) return (message) => sign(null, message, key);
  const seed = key.export({ type: 'pkcs8', format: 'der' }).subarray(-KEY_BYTES);
  const secret = new Uint8Array(SECRET_BYTES);
  library.crypto_sign_seed_keypair(new Uint8Array(KEY_BYTES), secret, seed);
  seed.fill(0);
  return (message) => {
    const signature = new Uint8Array(SIGNATURE_BYTES);
    library.crypto_sign_detached(signature, message, secret);
    return signature;
  };
}

/** Checks signatures of a public Ed25519 key (RFC 8032); for a key of small order none is good. */
export function ed25519Verifier(key: KeyObject, library = sodium): Verify {
  if (library === null) return (message, signature) => verify(null, message, key, signature);
  const publicKey = key.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES);
  return (message, signature) =>
    // The library would look at the first bytes of a longer one.
    signature.length === SIGNATURE_BYTES &&
    library.crypto_sign_verify_detached(signature, message, publicKey);
}
