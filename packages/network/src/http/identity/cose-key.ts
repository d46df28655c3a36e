import { createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';
import type { Limits } from '@cannery/ic/budget';
import { CborError, decodeCborMaps } from '@cannery/ic/certification/tree/cbor';
import { SignatureError } from './key-limits.ts';

/** Labels and values of COSE keys (RFC 9053 and RFC 8230, IANA registry "COSE Key Common Parameters"). */
const KEY_TYPE = 1;
const ALGORITHM = 3;
const CURVE_OR_MODULUS = -1;
const X_OR_EXPONENT = -2;
const Y = -3;
const [OKP, EC2, RSA] = [1, 2, 3];
const [ES256, EDDSA, RS256] = [-7, -8, -257];
const [P256, ED25519] = [1, 6];

/** Sizes of RSA keys the replica accepts, in bits (dfinity/ic, `basic_sig/rsa_pkcs1`). */
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;

/** A key is a map of five or so entries. */
const KEY_LIMITS: Limits = { values: 64, depth: 2, bytes: 4 * 1024 };

/** A key of an authenticator: ECDSA on P-256, RSA PKCS #1 v1.5 or Ed25519. Throws `SignatureError` for all others. */
export function importCoseKey(cose: Uint8Array): KeyObject {
  const fields = parse(cose);
  const is = (label: number, value: number | undefined): boolean => fields.get(label) === value;
  const bytes = (label: number): string => {
    const value = fields.get(label);
    if (!(value instanceof Uint8Array)) throw malformed('a part of the key is missing');
    return Buffer.from(value).toString('base64url');
  };
  if (is(KEY_TYPE, EC2) && is(ALGORITHM, ES256) && is(CURVE_OR_MODULUS, P256)) {
    return importJwk({ kty: 'EC', crv: 'P-256', x: bytes(X_OR_EXPONENT), y: bytes(Y) });
  }
  if (is(KEY_TYPE, RSA) && is(ALGORITHM, RS256)) {
    const key = importJwk({ kty: 'RSA', n: bytes(CURVE_OR_MODULUS), e: bytes(X_OR_EXPONENT) });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)
      throw malformed(`an RSA key has ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`);
    return key;
  }
  if (is(KEY_TYPE, OKP) && is(ALGORITHM, EDDSA) && is(CURVE_OR_MODULUS, ED25519)) {
    return importJwk({ kty: 'OKP', crv: 'Ed25519', x: bytes(X_OR_EXPONENT) });
  }
  throw malformed('use ES256 on P-256, RS256 or EdDSA on Ed25519');
}

function parse(cose: Uint8Array): ReadonlyMap<unknown, unknown> {
  let fields: unknown;
  try {
    fields = decodeCborMaps(cose, KEY_LIMITS);
  } catch (error) {
    if (error instanceof CborError) throw malformed(error.message);
    throw error;
  }
  if (!(fields instanceof Map)) throw malformed('it is not a map');
  return fields;
}

function importJwk(key: webcrypto.JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    throw malformed('its numbers are not a key');
  }
}

function malformed(reason: string): SignatureError {
  return new SignatureError(`Invalid public key: malformed COSE key: ${reason}`);
}
