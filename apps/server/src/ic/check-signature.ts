import { bls12_381 } from '@noble/curves/bls12-381.js';

const { shortSignatures } = bls12_381;

/** What a BLS check is told: the public key (96 bytes), the signature (48 bytes) and the signed bytes. */
export type Signed = readonly [key: Uint8Array, signature: Uint8Array, message: Uint8Array];

/** Whether a BLS12-381 signature fits; takes about 20 ms of pure computation. */
export function isGoodSignature(...[key, signature, message]: Signed): boolean {
  try {
    return shortSignatures.verify(signature, shortSignatures.hash(message), key);
  } catch {
    // Bytes that are no point of the curve.
    return false;
  }
}
