import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { equalBytes } from '@cannery/ic/certification/bytes';
import { ed25519Verifier, type Verify } from '@cannery/ic/certification/signatures/ed25519';
import { Proven } from '@cannery/ic/certification/signatures/proven';
import {
  CANISTER_SIGNATURE_OID,
  type CanisterSignatureKey,
  type CertificateJudge,
  parseCanisterKey,
  verifyCanisterSignature,
} from './canister-signature.ts';
import { importCoseKey } from './cose-key.ts';
import {
  MAX_ASSERTION_BYTES,
  MAX_COSE_KEY_BYTES,
  MAX_KEY_BYTES,
  MAX_PLAIN_KEY_BYTES,
  MAX_SIGNATURE_BYTES,
  PLAIN_SIGNATURE_BYTES,
  SignatureError,
} from './key-limits.ts';
import { parseSpki } from './spki.ts';
import { verifyAssertion } from './webauthn.ts';

/** A key that may sign requests (interface specification, "Signatures"). */
export type PublicKey =
  | { readonly kind: 'plain'; readonly scheme: string; readonly isGood: Verify }
  | { readonly kind: 'webauthn'; readonly key: KeyObject }
  | ({ readonly kind: 'canister' } & CanisterSignatureKey);

/** DER body of the object identifier 1.3.6.1.4.1.56387.1.1. */
const COSE_OID = '2b0601040183b8430101';
const ECDSA_SCHEMES: Readonly<Record<string, string>> = {
  prime256v1: 'ECDSA P-256',
  secp256k1: 'ECDSA secp256k1',
};

/**
 * Importing a key costs about as much as a verification, and a browser session signs everything with one key. A key is
 * remembered once its owner has signed something with it, never before.
 */
const known = new Proven<PublicKey>(256);

/** Rejects with `SignatureError` unless `signature` over `message` was made with the key `der`. */
export async function verifySignature(
  der: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  judge: CertificateJudge,
): Promise<void> {
  checkLength(der, MAX_KEY_BYTES);
  const name = Proven.nameOf(der);
  const before = known.get(name);
  const key = before ?? importKey(der);
  await verifyWith(key, message, signature, judge);
  if (!before) known.add(name, key);
}

async function verifyWith(
  key: PublicKey,
  message: Uint8Array,
  signature: Uint8Array,
  judge: CertificateJudge,
): Promise<void> {
  switch (key.kind) {
    case 'plain':
      return verifyPlain(key, message, signature);
    case 'webauthn':
      checkLength(signature, MAX_ASSERTION_BYTES, 'signature');
      return verifyAssertion(key.key, message, signature);
    case 'canister':
      checkLength(signature, MAX_SIGNATURE_BYTES, 'signature');
      return verifyCanisterSignature(key, message, signature, judge);
  }
}

async function verifyPlain(
  { scheme, isGood }: PublicKey & { kind: 'plain' },
  message: Uint8Array,
  signature: Uint8Array,
): Promise<void> {
  if (signature.length !== PLAIN_SIGNATURE_BYTES || !(await isGood(message, signature))) {
    throw new SignatureError(`Invalid basic signature: ${scheme} signature could not be verified`);
  }
}

function ecdsaVerifier(key: KeyObject): Verify {
  return async (message, signature) =>
    verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** The key `der` stands for. Throws `SignatureError` when it is of no known kind or malformed. */
export function importKey(der: Uint8Array): PublicKey {
  checkLength(der, MAX_KEY_BYTES);
  const { algorithm, key: bits } = parseSpki(der);
  if (algorithm === CANISTER_SIGNATURE_OID) return { kind: 'canister', ...parseCanisterKey(bits) };
  if (algorithm === COSE_OID) {
    checkLength(bits, MAX_COSE_KEY_BYTES);
    return { kind: 'webauthn', key: importCoseKey(bits) };
  }
  checkLength(der, MAX_PLAIN_KEY_BYTES, 'public key', 'use Ed25519, or ECDSA on P-256 or secp256k1');
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    throw new SignatureError('Invalid public key: it is not a DER-encoded key');
  }
  const curve = key.asymmetricKeyDetails?.namedCurve ?? '';
  const scheme = key.asymmetricKeyType === 'ed25519' ? 'Ed25519' : ECDSA_SCHEMES[curve];
  if (!scheme) {
    throw new SignatureError('Invalid public key: use Ed25519, or ECDSA on P-256 or secp256k1');
  }
  // One key must have one encoding, or it would have several principals; compressed points go out here too.
  if (
    !equalBytes(key.export({ format: 'der', type: 'spki' }), der) ||
    (scheme !== 'Ed25519' && bits[0] !== 4)
  ) {
    throw new SignatureError('Invalid public key: its DER encoding is not the canonical one');
  }
  return { kind: 'plain', scheme, isGood: scheme === 'Ed25519' ? ed25519Verifier(key) : ecdsaVerifier(key) };
}

function checkLength(
  { length }: Uint8Array,
  most: number,
  what = 'public key',
  reason = `it has ${length} bytes, and those of its kind have at most ${most}`,
): void {
  if (length > most) throw new SignatureError(`Invalid ${what}: ${reason}`);
}
