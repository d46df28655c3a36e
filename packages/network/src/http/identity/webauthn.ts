import { type KeyObject, verify } from 'node:crypto';
import { equalBytes } from '@cannery/ic/certification/bytes';
import type { Limits } from '@cannery/ic/budget';
import { CborError, decodeCbor } from '@cannery/ic/certification/tree/cbor';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { SignatureError } from './key-limits.ts';

/** An assertion is a map of three entries. */
const ASSERTION_LIMITS: Limits = { values: 64, depth: 2, bytes: 16 * 1024 };

/** What an authenticator hands out (interface specification, "Web Authentication"). */
interface Assertion {
  readonly authenticatorData: Uint8Array;
  readonly clientData: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Throws `SignatureError` unless `assertion` (CBOR) is an assertion by the authenticator with `key` and its challenge is
 * `message`. Like the replica it looks at neither origin nor flags: which site asked is not the network's concern.
 */
export function verifyAssertion(key: KeyObject, message: Uint8Array, assertion: Uint8Array): void {
  const { authenticatorData, clientData, signature } = parseAssertion(assertion);
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  if (!verify(digest, signed, key, signature)) {
    throw refused('Verifying signature failed.');
  }
  const challenge = parseChallenge(clientData);
  if (!equalBytes(challenge, message)) {
    throw refused(
      `Challenge in webauthn is ${challenge.toString('hex')} while it is expected to be ${Buffer.from(message).toString('hex')}`,
    );
  }
}

function parseAssertion(bytes: Uint8Array): Assertion {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = Object(decodeCbor(bytes, ASSERTION_LIMITS)) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof CborError) throw refused(`the signature is ${error.message}`);
    throw error;
  }
  const clientData = fields['client_data_json'];
  const assertion = {
    authenticatorData: fields['authenticator_data'],
    // Text by the specification; agents also send bytes, which the replica takes.
    clientData: typeof clientData === 'string' ? Buffer.from(clientData) : clientData,
    signature: fields['signature'],
  };
  if (!Object.values(assertion).every((value) => value instanceof Uint8Array)) {
    throw refused('the signature needs authenticator_data, client_data_json and signature');
  }
  return assertion as Assertion;
}

function parseChallenge(clientData: Uint8Array): Buffer {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(clientData).toString());
  } catch {
    throw refused('client_data_json is not valid JSON');
  }
  const challenge = (Object(parsed) as { readonly challenge?: unknown }).challenge;
  if (typeof challenge !== 'string') throw refused('client_data_json has no challenge');
  return Buffer.from(challenge, 'base64url');
}

function refused(reason: string): SignatureError {
  return new SignatureError(`WebAuthn error: ${reason}`);
}
