import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { hexText } from '../form/blob-bytes.ts';
import { pemIdentity } from './pem-identity.ts';
import { derValues, PemError, readPem } from './read-pem.ts';

const ed25519 = generateKeyPairSync('ed25519').privateKey;
const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const sec1 = (key: KeyObject): string => key.export({ type: 'sec1', format: 'pem' }).toString();
const secretOf = (key: KeyObject): string =>
  Buffer.from(key.export({ format: 'jwk' }).d ?? '', 'base64url').toString('hex');
const pemOf = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`;

/** The form of RFC 5958 with the public key behind the secret, as dfx writes it. */
function withPublicKey(key: KeyObject): string {
  const secret = Buffer.from(secretOf(key), 'hex');
  const publicKey = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
  const head = Buffer.from('3053020101300506032b657004220420', 'hex');
  return pemOf('PRIVATE KEY', Buffer.concat([head, secret, Buffer.from('a123032100', 'hex'), publicKey]));
}

test.each([
  ['Ed25519', 'ed25519', pkcs8(ed25519), ed25519],
  ['Ed25519 with its public key', 'ed25519', withPublicKey(ed25519), ed25519],
  ['secp256k1 of OpenSSL', 'secp256k1', sec1(secp256k1), secp256k1],
  ['secp256k1 in PKCS#8', 'secp256k1', pkcs8(secp256k1), secp256k1],
  [
    'secp256k1 with the parameters of its curve before it',
    'secp256k1',
    `-----BEGIN EC PARAMETERS-----\nBgUrgQQACg==\n-----END EC PARAMETERS-----\n${sec1(secp256k1)}`,
    secp256k1,
  ],
  ['lines of Windows', 'ed25519', pkcs8(ed25519).replaceAll('\n', '\r\n'), ed25519],
] as const)('reads %s', (_name, kind, pem, key) => {
  const read = readPem(pem);
  expect(read.kind).toBe(kind);
  expect(hexText(read.secret)).toBe(secretOf(key));
});

test('the identity of a key signs as the principal of its public key', async () => {
  for (const key of [ed25519, secp256k1]) {
    const identity = pemIdentity(pkcs8(key));
    const x = Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
    expect(hexText(identity.getPublicKey().toDer())).toContain(x);
    expect(identity.getPrincipal().toText()).toMatch(/^[a-z0-9-]{60,}$/);
    expect((await identity.sign(Uint8Array.of(1, 2, 3))).length).toBe(64);
  }
});

const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
const oldEncrypted = { ...encrypted, type: 'sec1' } as const;
const whole = Buffer.from(pkcs8(ed25519).split('\n')[1] ?? '', 'base64');

test.each([
  ['an encrypted key', ed25519.export(encrypted).toString(), /encrypted. Export it without a password/],
  ['an encrypted key of OpenSSL', secp256k1.export(oldEncrypted).toString(), /encrypted/],
  ['a key on another curve', sec1(p256), /another curve/],
  ['a key on another curve in PKCS#8', pkcs8(p256), /another kind/],
  ['an RSA key', pkcs8(rsa), /another kind/],
  [
    'an RSA key of OpenSSL',
    rsa.export({ type: 'pkcs1', format: 'pem' }).toString(),
    /not a private key of Ed25519/,
  ],
  [
    'a certificate',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    /not a private key of Ed25519/,
  ],
  ['nothing', '', /no private key in this text/],
  ['a seed phrase', 'abandon ability able about', /no private key in this text/],
  ['no base64', '-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----', /cannot be read/],
  ['something else inside', pemOf('PRIVATE KEY', Buffer.from('300302010030', 'hex')), /cannot be read/],
  ['a length that lies', pemOf('PRIVATE KEY', Buffer.from('3084ffffffff02', 'hex')), /cannot be read/],
  ['much text', 'x'.repeat(20_000), /too long/],
  [
    'a number that is no key',
    pemOf(
      'PRIVATE KEY',
      Buffer.from(
        `303e020100301006072a8648ce3d020106052b8104000a042730250201010420${'00'.repeat(32)}`,
        'hex',
      ),
    ),
    /cannot be (used|read)/,
  ],
])('says what is wrong with %s', (_name, pem, message) => {
  expect(() => pemIdentity(pem)).toThrow(PemError);
  expect(() => pemIdentity(pem)).toThrow(message);
});

test('a key that is cut off at any place is refused', () => {
  for (let length = 0; length < whole.length; length++) {
    expect(() => readPem(pemOf('PRIVATE KEY', whole.subarray(0, length))), String(length)).toThrow(PemError);
  }
});

test('a secret of another length is no key, and a value that ends too early no DER', () => {
  const exact = `302a020100300506032b6570041e041c${'11'.repeat(28)}`;
  expect(() => readPem(pemOf('PRIVATE KEY', Buffer.from(exact, 'hex')))).toThrow('cannot be read');
  expect(derValues(Uint8Array.of(4, 2, 1))).toBeUndefined();
  expect(derValues(Uint8Array.of(4, 1, 1))).toEqual([{ tag: 4, content: Uint8Array.of(1) }]);
});

test('no message repeats anything of the key', () => {
  const broken = pkcs8(ed25519).replace('MC4C', 'MC5C');
  const error = (() => {
    try {
      return readPem(broken);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(error).toBeInstanceOf(PemError);
  expect(String(error)).not.toContain(broken.split('\n')[1]?.slice(-20));
});
