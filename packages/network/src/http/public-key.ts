import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { hex } from '../certification/bytes.ts';

/** A key or signature the network does not accept; the message continues "Invalid signature: ". */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

interface VerificationKey {
  readonly scheme: 'Ed25519' | 'ECDSA P-256' | 'ECDSA secp256k1';
  readonly key: KeyObject;
}

/** DER bodies of the object identifiers that mark keys which are no plain signature keys. */
const COSE_OID = '2b0601040183b8430101';
const CANISTER_SIGNATURE_OID = '2b0601040183b8430102';
const ECDSA_SCHEMES: Readonly<Record<string, VerificationKey['scheme']>> = {
  prime256v1: 'ECDSA P-256',
  secp256k1: 'ECDSA secp256k1',
};

/** Importing a key costs about as much as a verification, and a browser session signs everything with one key. */
const CACHE_SIZE = 256;
const cache = new Map<string, VerificationKey>();

/**
 * Throws `SignatureError` unless `signature` over `message` was made with the key `der`: Ed25519, or ECDSA with
 * SHA-256 on P-256 or secp256k1 with the signature as `r` and `s` of 32 bytes each.
 */
export function verifySignature(der: Uint8Array, message: Uint8Array, signature: Uint8Array): void {
  const { scheme, key } = importKey(der);
  const valid =
    scheme === 'Ed25519'
      ? verify(null, message, key, signature)
      : verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);
  if (!valid) throw new SignatureError(`Invalid basic signature: ${scheme} signature could not be verified`);
}

function importKey(der: Uint8Array): VerificationKey {
  const cacheKey = hex(der);
  const known = cache.get(cacheKey);
  if (known) return known;
  const imported = importFresh(der, cacheKey);
  const oldest = cache.keys().next().value;
  if (cache.size >= CACHE_SIZE && oldest !== undefined) cache.delete(oldest);
  cache.set(cacheKey, imported);
  return imported;
}

function importFresh(der: Uint8Array, derHex: string): VerificationKey {
  if (derHex.includes(CANISTER_SIGNATURE_OID)) {
    throw new SignatureError('Invalid public key: canister signatures are not supported by this network yet');
  }
  if (derHex.includes(COSE_OID)) {
    throw new SignatureError(
      'Invalid public key: WebAuthn (COSE) keys are not supported by this network yet',
    );
  }
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    throw new SignatureError('Invalid public key: it is not a DER-encoded key');
  }
  if (key.asymmetricKeyType === 'ed25519') return { scheme: 'Ed25519', key };
  const scheme = ECDSA_SCHEMES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (key.asymmetricKeyType !== 'ec' || !scheme) {
    throw new SignatureError('Invalid public key: use Ed25519, or ECDSA on P-256 or secp256k1');
  }
  return { scheme, key };
}
