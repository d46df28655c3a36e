import { createHash } from 'node:crypto';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { secpPublicKey, secpSecretBytes } from './bip32.ts';

const { Point } = secp256k1;
const ORDER = Point.Fn.ORDER;
const EVEN = 0x02;

/** BIP340 tagged hash. */
function taggedHash(tag: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const prefix = createHash('sha256').update(tag).digest();
  const hash = createHash('sha256').update(prefix).update(prefix);
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** The secret of the output key of BIP341 (`taproot_tweak_seckey`); `root` is the Merkle root or empty. */
export function taprootSecret(secret: bigint, root: Uint8Array): bigint {
  const publicKey = secpPublicKey(secret);
  const even = publicKey[0] === EVEN ? secret : ORDER - secret;
  const tweak = taggedHash('TapTweak', publicKey.subarray(1), root);
  return (even + BigInt(`0x${Buffer.from(tweak).toString('hex')}`)) % ORDER;
}

/** BIP340 signature of a message of any length, 64 bytes. */
export function signBip340(secret: bigint, message: Uint8Array): Uint8Array {
  return schnorr.sign(message, secpSecretBytes(secret));
}
