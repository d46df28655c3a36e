import { Principal } from '@icp-sdk/core/principal';

/** What a site asks for, in either of the two forms. */
export interface SignInRequest {
  /** In DER. */
  readonly sessionKey: Uint8Array<ArrayBuffer>;
  /** In nanoseconds. */
  readonly maxTimeToLive: bigint | undefined;
  readonly targets: readonly Principal[] | undefined;
  /** The site whose principal the asking one wants; it has to allow that. */
  readonly derivationOrigin: string | undefined;
}

/** The request is not what the standard says; the message says which part. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
}

/** Longest key that the canister signs for, in bytes. */
const MAX_KEY_BYTES = 600;
const MAX_TARGETS = 1_000;
/** Longest text of a principal. */
const MAX_PRINCIPAL_TEXT = 63;
const MAX_ORIGIN = 255;
/** The largest number of 64 bits has 20 digits. */
const DIGITS = /^\d{1,20}$/;
const MAX_NAT64 = 2n ** 64n - 1n;

function lifetime(value: unknown): bigint | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'bigint' || typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !DIGITS.test(text)) {
    throw new RequestError('maxTimeToLive must be a number of nanoseconds.');
  }
  const nanos = BigInt(text);
  return nanos > MAX_NAT64 ? MAX_NAT64 : nanos;
}

function origin(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > MAX_ORIGIN) {
    throw new RequestError('derivationOrigin must be an origin.');
  }
  const url = URL.parse(value);
  // `https://app.example.com/` is written by some, and is the same origin.
  if (!url || !/^https?:$/.test(url.protocol) || (value !== url.origin && value !== `${url.origin}/`)) {
    throw new RequestError('derivationOrigin must be an origin, such as https://app.example.com.');
  }
  return url.origin;
}

function targets(value: unknown): readonly Principal[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length > MAX_TARGETS) {
    throw new RequestError('targets must be a list of at most 1,000 principals.');
  }
  return value.map((each: unknown) => {
    if (typeof each !== 'string' || each.length > MAX_PRINCIPAL_TEXT) {
      throw new RequestError('targets must be principals.');
    }
    try {
      return Principal.fromText(each);
    } catch {
      throw new RequestError('targets must be principals.');
    }
  });
}

function key(value: unknown): Uint8Array<ArrayBuffer> {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > MAX_KEY_BYTES) {
    throw new RequestError('The session key must be a public key in DER.');
  }
  return Uint8Array.from(value);
}

function fromBase64(value: unknown): Uint8Array {
  if (typeof value !== 'string' || value.length > MAX_KEY_BYTES * 2) {
    throw new RequestError('publicKey must be base64.');
  }
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  } catch {
    throw new RequestError('publicKey must be base64.');
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object that somebody sent; none where it is something else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Reads the parameters of `icrc34_delegation` (with the derivation origin of ICRC-95). Throws `RequestError`. */
export function readIcrc34(params: unknown): SignInRequest {
  const fields = fieldsOf(params);
  return {
    sessionKey: key(fromBase64(fields['publicKey'])),
    maxTimeToLive: lifetime(fields['maxTimeToLive']),
    targets: targets(fields['targets']),
    derivationOrigin: origin(fields['icrc95DerivationOrigin']),
  };
}

/** Reads a message `authorize-client`, the older form. Throws `RequestError`. */
export function readAuthorizeClient(message: Fields): SignInRequest {
  return {
    sessionKey: key(message['sessionPublicKey']),
    maxTimeToLive: lifetime(message['maxTimeToLive']),
    targets: undefined,
    derivationOrigin: origin(message['derivationOrigin']),
  };
}
