import { SignatureError } from './key-limits.ts';

/** A public key in DER (RFC 5280, SubjectPublicKeyInfo). */
export interface SubjectPublicKeyInfo {
  /** Hexadecimal body of the object identifier that names the scheme. */
  readonly algorithm: string;
  /** The contents of the bit string. */
  readonly key: Uint8Array;
}

const SEQUENCE = 0x30;
const OBJECT_IDENTIFIER = 0x06;
const BIT_STRING = 0x03;

/** Takes a public key apart. Throws `SignatureError` when it is not DER or has bytes left over. */
export function parseSpki(der: Uint8Array): SubjectPublicKeyInfo {
  const outer = element(der, SEQUENCE);
  if (outer.rest.length > 0) throw malformed();
  const algorithm = element(outer.body, SEQUENCE);
  const oid = element(algorithm.body, OBJECT_IDENTIFIER);
  const bits = element(algorithm.rest, BIT_STRING);
  // The first byte of a bit string counts the unused bits at its end.
  if (bits.rest.length > 0 || bits.body[0] !== 0) throw malformed();
  return { algorithm: Buffer.from(oid.body).toString('hex'), key: bits.body.subarray(1) };
}

function element(bytes: Uint8Array, tag: number): { body: Uint8Array; rest: Uint8Array } {
  let length = bytes[1] ?? 0;
  let start = 2;
  if (length > 0x7f) {
    const digits = length & 0x7f;
    if (digits === 0 || digits > 3) throw malformed();
    start += digits;
    length = bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0);
    if (length < 0x80 || bytes[2] === 0) throw malformed();
  }
  const end = start + length;
  if (bytes[0] !== tag || bytes.length < end) throw malformed();
  return { body: bytes.subarray(start, end), rest: bytes.subarray(end) };
}

function malformed(): SignatureError {
  return new SignatureError('Invalid public key: it is not a DER-encoded key');
}
