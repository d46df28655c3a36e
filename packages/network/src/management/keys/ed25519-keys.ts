import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { ExtendedSecret } from './secp256k1-keys.ts';

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
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
  return Point.BASE.multiply(secret).toBytes();
}

/** The child key at `path`, by "Ed25519 hierarchical key derivation" of the interface specification. */
export function deriveEd25519(master: ExtendedSecret, path: readonly Uint8Array[]): ExtendedSecret {
  return path.reduce<ExtendedSecret>((parent, index) => {
    const material = Buffer.concat([ed25519PublicKey(parent.secret), index]);
    const derived = new Uint8Array(
      hkdfSync('sha512', material, parent.chainCode, INFO, TWEAK_BYTES + CHAIN_CODE_BYTES),
    );
    const tweak = numberOf(derived.subarray(0, TWEAK_BYTES)) % ORDER;
    return { secret: (parent.secret + tweak) % ORDER, chainCode: derived.slice(TWEAK_BYTES) };
  }, master);
}

/**
 * Signature of 64 bytes by RFC 8032, with a scalar in place of a seed: derived keys have no seed, so the nonce is
 * random instead of a hash of one.
 */
export function signEd25519(secret: bigint, message: Uint8Array): Uint8Array {
  const publicKey = ed25519PublicKey(secret);
  const nonce = (numberOf(randomBytes(TWEAK_BYTES)) % (ORDER - 1n)) + 1n;
  const commitment = ed25519PublicKey(nonce);
  const digest = createHash('sha512').update(commitment).update(publicKey).update(message).digest();
  const challenge = numberOf(digest, true) % ORDER;
  return new Uint8Array(Buffer.concat([commitment, littleEndian((nonce + challenge * secret) % ORDER)]));
}
