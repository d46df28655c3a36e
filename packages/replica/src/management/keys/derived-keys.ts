import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { freshRandomness, type Randomness } from '../../random.ts';

/** A key pair of secp256k1 with its chain code; `secret` is the scalar. */
export interface ExtendedSecret {
  readonly secret: bigint;
  readonly chainCode: Uint8Array;
}

const { Point } = secp256k1;
const ORDER = Point.Fn.ORDER;
const HALF = 32;
/** Random bytes that a signature by BIP340 mixes into its nonce. */
const AUXILIARY_BYTES = 32;
const RETRY = 0x01;

/** SEC1 compressed public key, 33 bytes. */
export function secpPublicKey(secret: bigint): Uint8Array {
  return Point.BASE.multiply(secret).toBytes(true);
}

export function secpSecretBytes(secret: bigint): Uint8Array {
  return Point.Fn.toBytes(secret);
}

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
export function signBip340(
  secret: bigint,
  message: Uint8Array,
  random: Randomness = freshRandomness,
): Uint8Array {
  return schnorr.sign(message, secpSecretBytes(secret), random(AUXILIARY_BYTES));
}

const { Point: EdwardsPoint } = ed25519;
const EDWARDS_ORDER = EdwardsPoint.Fn.ORDER;
const TWEAK_BYTES = 64;
const CHAIN_CODE_BYTES = 32;
const INFO = 'Ed25519';

const numberOf = (bytes: Uint8Array, littleEndian = false): bigint => {
  const ordered = littleEndian ? Uint8Array.from(bytes).reverse() : bytes;
  return BigInt(`0x${Buffer.from(ordered).toString('hex')}`);
};

function littleEndian(value: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex')).reverse();
}

/** RFC 8032 compressed public key, 32 bytes. */
export function ed25519PublicKey(secret: bigint): Uint8Array {
  return EdwardsPoint.BASE.multiply(secret).toBytes();
}

/** The child key at `path`, by "Ed25519 hierarchical key derivation" of the interface specification. */
export function deriveEd25519(master: ExtendedSecret, path: readonly Uint8Array[]): ExtendedSecret {
  return path.reduce<ExtendedSecret>((parent, index) => {
    const material = Buffer.concat([ed25519PublicKey(parent.secret), index]);
    const derived = new Uint8Array(
      hkdfSync('sha512', material, parent.chainCode, INFO, TWEAK_BYTES + CHAIN_CODE_BYTES),
    );
    const tweak = numberOf(derived.subarray(0, TWEAK_BYTES)) % EDWARDS_ORDER;
    return { secret: (parent.secret + tweak) % EDWARDS_ORDER, chainCode: derived.slice(TWEAK_BYTES) };
  }, master);
}

/**
 * Signature of 64 bytes by RFC 8032, with a scalar in place of a seed: derived keys have no seed, so the nonce is
 * random instead of a hash of one.
 */
export function signEd25519(
  secret: bigint,
  message: Uint8Array,
  random: Randomness = freshRandomness,
): Uint8Array {
  const publicKey = ed25519PublicKey(secret);
  const nonce = (numberOf(random(TWEAK_BYTES)) % (EDWARDS_ORDER - 1n)) + 1n;
  const commitment = ed25519PublicKey(nonce);
  const digest = createHash('sha512').update(commitment).update(publicKey).update(message).digest();
  const challenge = numberOf(digest, true) % EDWARDS_ORDER;
  return new Uint8Array(
    Buffer.concat([commitment, littleEndian((nonce + challenge * secret) % EDWARDS_ORDER)]),
  );
}
