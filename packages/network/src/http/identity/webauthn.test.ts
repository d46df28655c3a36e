import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { encode } from 'cborg';
import { expect, test } from 'vitest';
import { importKey, verifySignature } from './public-key.ts';

const judge = { wasIssued: (): Promise<boolean> => Promise.resolve(false) };
const message = Buffer.concat([Buffer.from('\u000aic-request'), Buffer.alloc(32, 7)]);

interface Authenticator {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly der: Buffer;
}

/** SubjectPublicKeyInfo around a COSE key. */
function wrapCose(cose: Uint8Array): Buffer {
  const length = (size: number): Buffer =>
    size < 128
      ? Buffer.of(size)
      : size < 256
        ? Buffer.of(0x81, size)
        : Buffer.of(0x82, size >> 8, size & 0xff);
  const oid = Buffer.from('300c060a2b0601040183b8430101', 'hex');
  const bits = Buffer.concat([Buffer.of(0x03), length(cose.length + 1), Buffer.of(0), cose]);
  return Buffer.concat([Buffer.of(0x30), length(oid.length + bits.length), oid, bits]);
}

function authenticator(name: string, keys: { publicKey: KeyObject; privateKey: KeyObject }): Authenticator {
  const jwk = keys.publicKey.export({ format: 'jwk' });
  const bytes = (text = ''): Uint8Array => new Uint8Array(Buffer.from(text, 'base64url'));
  const cose: Record<string, [number, unknown][]> = {
    'ECDSA P-256': [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(jwk.x)],
      [-3, bytes(jwk.y)],
    ],
    RSA: [
      [1, 3],
      [3, -257],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ],
    Ed25519: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ],
  };
  return { name, privateKey: keys.privateKey, der: wrapCose(encode(new Map(cose[name]))) };
}

const authenticators = [
  authenticator('ECDSA P-256', generateKeyPairSync('ec', { namedCurve: 'prime256v1' })),
  authenticator('RSA', generateKeyPairSync('rsa', { modulusLength: 2048 })),
  authenticator('Ed25519', generateKeyPairSync('ed25519')),
];

interface Changes {
  readonly challenge?: Uint8Array;
  readonly clientData?: Uint8Array | string;
  readonly signature?: Uint8Array;
  readonly authenticatorData?: Uint8Array;
}

function assertion({ name, privateKey }: Authenticator, changes: Changes = {}): Uint8Array {
  const authenticatorData = new Uint8Array(37).fill(3);
  const challenge = Buffer.from(changes.challenge ?? message).toString('base64url');
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin: 'http://localhost' });
  const digest = createHash('sha256').update(clientData).digest();
  const signed = Buffer.concat([authenticatorData, digest]);
  const signature = sign(name === 'Ed25519' ? null : 'sha256', signed, privateKey);
  return encode({
    authenticator_data: changes.authenticatorData ?? authenticatorData,
    client_data_json: changes.clientData ?? clientData,
    signature: changes.signature ?? new Uint8Array(signature),
  });
}

const verify = async (der: Uint8Array, signature: Uint8Array): Promise<void> =>
  verifySignature(der, message, signature, judge);

test.each(authenticators)('an assertion by $name is accepted', async (each) => {
  await verify(each.der, assertion(each));
  const tagged = Buffer.concat([Buffer.from('d9d9f7', 'hex'), assertion(each)]);
  await verify(each.der, tagged);
});

test.each(authenticators)('client data may come as bytes ($name)', async (each) => {
  const challenge = message.toString('base64url');
  const clientData = JSON.stringify({ type: 'webauthn.get', challenge, origin: 'http://localhost' });
  await verify(each.der, assertion(each, { clientData: new Uint8Array(Buffer.from(clientData)) }));
});

test.each(authenticators)('an assertion for another challenge is refused ($name)', async (each) => {
  const other = assertion(each, { challenge: Buffer.alloc(43, 1) });
  await expect(verify(each.der, other)).rejects.toThrow('Challenge in webauthn is 0101');
});

test.each(authenticators)('an assertion that was changed is refused ($name)', async (each) => {
  const challenge = message.toString('base64url');
  const changes: Changes[] = [
    { authenticatorData: new Uint8Array(37).fill(4) },
    { clientData: JSON.stringify({ challenge }) },
    { signature: new Uint8Array(64).fill(1) },
  ];
  for (const change of changes) {
    await expect(verify(each.der, assertion(each, change))).rejects.toThrow('Verifying signature failed');
  }
});

test('an assertion by another authenticator is refused', async () => {
  const [first, second] = authenticators;
  if (!first || !second) throw new Error('there are three');
  await expect(verify(second.der, assertion(first))).rejects.toThrow('Verifying signature failed');
});

test('what is no assertion is refused', async () => {
  const [{ der } = { der: Buffer.of() }] = authenticators;
  await expect(verify(der, new Uint8Array(64))).rejects.toThrow('WebAuthn error');
  await expect(verify(der, encode({ signature: new Uint8Array(3) }))).rejects.toThrow(
    'needs authenticator_data',
  );
});

test('COSE keys of other kinds, and too short ones, are refused', () => {
  const short = authenticator('RSA', generateKeyPairSync('rsa', { modulusLength: 1024 }));
  expect(() => importKey(short.der)).toThrow('an RSA key has 2048 to 8192 bits');
  const es384: [number, unknown][] = [
    [1, 2],
    [3, -35],
    [-1, 2],
    [-2, new Uint8Array(48)],
    [-3, new Uint8Array(48)],
  ];
  expect(() => importKey(wrapCose(encode(new Map(es384))))).toThrow('use ES256 on P-256');
  const offCurve: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(32)],
    [-3, new Uint8Array(32)],
  ];
  expect(() => importKey(wrapCose(encode(new Map(offCurve))))).toThrow('its numbers are not a key');
  expect(() => importKey(wrapCose(Buffer.of(1, 2, 3)))).toThrow('malformed COSE key');
});
