import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { createHash, createHmac } from 'node:crypto';

/** A key pair of secp256k1 with its chain code; `secret` is the scalar. */
export interface ExtendedSecret {
  readonly secret: bigint;
  readonly chainCode: Uint8Array;
}

const { Point } = secp256k1;
const ORDER = Point.Fn.ORDER;
const HALF = 32;
const RETRY = 0x01;

/** SEC1 compressed public key, 33 bytes. */
export function secpPublicKey(secret: bigint): Uint8Array {
  return Point.BASE.multiply(secret).toBytes(true);
}

export function secpSecretBytes(secret: bigint): Uint8Array {
  return Point.Fn.toBytes(secret);
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/**
 * The child key at `path`: BIP32 without hardening, generalised to indices of any length (ia.cr/2021/1330,
 * appendix D; interface specification, `ecdsa_public_key`). With 4-byte indices it is BIP32 itself.
 */
export function deriveSecp(master: ExtendedSecret, path: readonly Uint8Array[]): ExtendedSecret {
  return path.reduce<ExtendedSecret>(
    (parent, index) => childOf(parent, index, secpPublicKey(parent.secret)),
    master,
  );
}

/** `input` is the parent's public key, except after a hash that was too large for a scalar. */
function childOf(parent: ExtendedSecret, index: Uint8Array, input: Uint8Array): ExtendedSecret {
  const hash = new Uint8Array(createHmac('sha512', parent.chainCode).update(input).update(index).digest());
  const tweak = numberOf(hash.subarray(0, HALF));
  const chainCode = hash.slice(HALF);
  const secret = (parent.secret + tweak) % ORDER;
  if (tweak < ORDER && secret !== 0n) return { secret, chainCode };
  // As SLIP-10 does; it takes about 2^128 attempts to see it happen.
  return childOf(parent, index, Uint8Array.of(RETRY, ...chainCode));
}

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
