import { hexText } from '../form/blob-bytes.ts';

/** Tags of DER that private keys are made of (X.690, 8). */
const TAG = { integer: 0x02, octets: 0x04, oid: 0x06, sequence: 0x30 } as const;

/** One value of DER. */
interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** The values that stand one behind the other in some bytes; undefined when the bytes are cut off or no DER. */
export function derValues(bytes: Uint8Array): DerValue[] | undefined {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    const first = bytes[at + 1];
    if (first === undefined) return undefined;
    let size = first;
    let start = at + 2;
    if (first >= 0x80) {
      const digits = first & 0x7f;
      // A key is short: more than two bytes of length are no key's.
      if (digits === 0 || digits > 2) return undefined;
      size = 0;
      for (const byte of bytes.subarray(start, start + digits)) size = size * 256 + byte;
      start += digits;
    }
    if (start + size > bytes.length) return undefined;
    values.push({ tag, content: bytes.subarray(start, start + size) });
    at = start + size;
  }
  return values;
}

/** What a sequence holds; undefined for anything else. */
function derSequence(bytes: Uint8Array): DerValue[] | undefined {
  const [only, ...rest] = derValues(bytes) ?? [];
  return only?.tag === TAG.sequence && rest.length === 0 ? derValues(only.content) : undefined;
}

/** The secret of a key, 32 bytes, and what kind of key it is. */
interface PemKey {
  readonly kind: 'ed25519' | 'secp256k1';
  readonly secret: Uint8Array;
}

/** A PEM text that holds no key the page can sign with; its message is for people. */
export class PemError extends Error {
  override readonly name = 'PemError';
}

/** A PEM file of one key is far shorter. */
const LONGEST = 16 * 1024;
const SECRET_BYTES = 32;
/** Identifiers of algorithms and curves (RFC 8410, 3; RFC 5480, 2.1.1; SEC 2, A.2.1), in hexadecimal. */
const ED25519 = '2b6570';
const EC_KEY = '2a8648ce3d0201';
const SECP256K1 = '2b8104000a';

const ENCRYPTED = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;
const BLOCK = /-----BEGIN (PRIVATE KEY|EC PRIVATE KEY)-----([A-Za-z0-9+/=\s]*)-----END \1-----/;

/**
 * Reads the private key of a PEM text as `icp identity export` and `dfx identity export` write it.
 * @throws PemError with a sentence about what is wrong
 */
export function readPem(pem: string): PemKey {
  if (pem.length > LONGEST) throw new PemError('This is too long for a PEM file of one key.');
  if (ENCRYPTED.test(pem)) {
    throw new PemError(
      'This key is encrypted. Export it without a password, such as with icp identity export.',
    );
  }
  if (/-----BEGIN (CERTIFICATE|PUBLIC KEY|RSA|OPENSSH|DSA)/.test(pem)) {
    throw new PemError('This is not a private key of Ed25519 or secp256k1, the kinds that an identity has.');
  }
  const [, label, base64 = ''] = BLOCK.exec(pem) ?? [];
  if (label === undefined) {
    throw new PemError('There is no private key in this text. It begins with -----BEGIN PRIVATE KEY-----.');
  }
  const parts = derSequence(bytesOf(base64));
  const key = label === 'PRIVATE KEY' ? pkcs8Key(parts) : sec1Key(parts);
  if (key === undefined) throw new PemError('The key in this text cannot be read. It may be cut off.');
  return key;
}

function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** The key of a PKCS#8 structure (RFC 5958): version, algorithm, key, and sometimes the public key. */
function pkcs8Key(parts: readonly DerValue[] | undefined): PemKey | undefined {
  const [version, algorithm, key] = parts ?? [];
  if (version?.tag !== TAG.integer || algorithm?.tag !== TAG.sequence || key?.tag !== TAG.octets) {
    return undefined;
  }
  const [name, curve] = (derValues(algorithm.content) ?? []).map(oidOf);
  if (name === ED25519) {
    const [secret, ...rest] = derValues(key.content) ?? [];
    return secret?.tag === TAG.octets && rest.length === 0 ? keyOf('ed25519', secret.content) : undefined;
  }
  if (name === EC_KEY && curve === SECP256K1) return sec1Secret(derSequence(key.content));
  throw new PemError(
    'This key is of another kind than Ed25519 and secp256k1, the kinds that an identity has.',
  );
}

/** The key of an EC structure (RFC 5915), which has to name its curve. */
function sec1Key(parts: readonly DerValue[] | undefined): PemKey | undefined {
  const curve = parts?.find(({ tag }) => tag === 0xa0);
  const [oid] = (curve && derValues(curve.content)) ?? [];
  if (parts !== undefined && (oid === undefined || oidOf(oid) !== SECP256K1)) {
    throw new PemError('This key is on another curve than secp256k1.');
  }
  return sec1Secret(parts);
}

function sec1Secret(parts: readonly DerValue[] | undefined): PemKey | undefined {
  const [version, secret] = parts ?? [];
  if (version?.tag !== TAG.integer || secret?.tag !== TAG.octets) return undefined;
  return keyOf('secp256k1', secret.content);
}

function oidOf({ tag, content }: DerValue): string | undefined {
  return tag === TAG.oid ? hexText(content) : undefined;
}

function keyOf(kind: PemKey['kind'], secret: Uint8Array): PemKey | undefined {
  return secret.length === SECRET_BYTES ? { kind, secret: Uint8Array.from(secret) } : undefined;
}
