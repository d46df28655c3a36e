/** A key or signature the network does not accept; the message continues "Invalid signature: " or the like. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/**
 * Longest keys and signatures, by what is known of each kind. What is longer is refused before anything is done with it,
 * so nobody's key or signature costs more memory or work than the largest real one.
 */

/** Ed25519, P-256 and secp256k1 in DER: 44, 91 and 88 bytes. */
export const MAX_PLAIN_KEY_BYTES = 128;
/** An RSA key of 8,192 bits, the largest there is, in COSE and DER: its modulus and less than 100 bytes around it. */
export const MAX_COSE_KEY_BYTES = 1024 + 256;
/** Seed of a canister's key, in bytes: Internet Identity uses 32, others put a user's principal and a name into it. */
export const MAX_SEED_BYTES = 1024;
/** Any key in DER. */
export const MAX_KEY_BYTES = MAX_COSE_KEY_BYTES + 64;

/** Ed25519 and ECDSA: two numbers of 32 bytes. */
export const PLAIN_SIGNATURE_BYTES = 64;
/** An assertion of an authenticator: its data, what the browser says, and a signature of RSA with at most 1,024 bytes. */
export const MAX_ASSERTION_BYTES = 8 * 1024;
/**
 * A signature by a canister: a certificate, which shows three leaves, and a part of the canister's tree. Either has 32
 * bytes for each level of its tree, and a level for each doubling of the number of signatures.
 */
export const MAX_SIGNATURE_BYTES = 32 * 1024;
