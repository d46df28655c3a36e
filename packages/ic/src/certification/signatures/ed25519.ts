import { type KeyObject, sign, verify } from 'node:crypto';
import { SIGNATURE_BYTES } from './signature-jobs.ts';
import { SignatureThreads } from './signature-threads.ts';
import { sodium } from './sodium.ts';

/** Bytes of an Ed25519 key, which PKCS #8 and SPKI end with (RFC 8410). */
const KEY_BYTES = 32;

/** The 64-byte signature over a message. */
export type Sign = (message: Uint8Array) => Promise<Uint8Array>;
/** Whether a signature over a message is good. */
export type Verify = (message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** One for all keys of the process; null where the crypto library of Node does the work. */
const shared = sodium && new SignatureThreads(sodium);

/** Signs with a private Ed25519 key (RFC 8032). */
export function ed25519Signer(key: KeyObject, threads = shared): Sign {
  if (threads === null) return async (message) => sign(null, message, key);
  const seed = key.export({ type: 'pkcs8', format: 'der' }).subarray(-KEY_BYTES);
  const secret = threads.secretKey(seed);
  seed.fill(0);
  return (message) => threads.sign(message, secret);
}

/** Checks signatures of a public Ed25519 key (RFC 8032); for a key of small order none is good. */
export function ed25519Verifier(key: KeyObject, threads = shared): Verify {
  if (threads === null) return async (message, signature) => verify(null, message, key, signature);
  const publicKey = key.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES);
  return async (message, signature) =>
    // The library would look at the first bytes of a longer one.
    signature.length === SIGNATURE_BYTES && threads.verify(message, signature, publicKey);
}
