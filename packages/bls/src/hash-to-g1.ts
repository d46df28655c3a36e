import { expand_message_xmd } from '@noble/curves/abstract/hash-to-curve.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { add, Fp, type G1 } from 'mcl-wasm';

/** The suite of the Internet Computer's signatures (draft-irtf-cfrg-bls-signature-05, 4.2.1), as a domain tag. */
const SUITE = new TextEncoder().encode('BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_');
/** Uniform bytes that an element of the field is made of (RFC 9380, 8.8.1: L). */
const ELEMENT_BYTES = 64;

/** The point of G1 that stands for a message (RFC 9380, 3: `hash_to_curve` with two elements). */
export function hashToG1(message: Uint8Array): G1 {
  const uniform = expand_message_xmd(message, SUITE, 2 * ELEMENT_BYTES, sha256);
  return add(mapToG1(uniform.subarray(0, ELEMENT_BYTES)), mapToG1(uniform.subarray(ELEMENT_BYTES)));
}

function mapToG1(uniform: Uint8Array): G1 {
  const element = new Fp();
  element.setBigEndianMod(uniform);
  return element.mapToG1();
}
