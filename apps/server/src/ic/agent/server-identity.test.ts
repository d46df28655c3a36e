import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { identityOfPem } from './server-identity.ts';

const pemOf = (key: KeyObject, type: 'pkcs8' | 'sec1'): string => String(key.export({ format: 'pem', type }));
const derOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' });
const publicKeyOf = (pem: string): Buffer => Buffer.from(identityOfPem(pem).getPublicKey().toDer());

test('an Ed25519 key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  expect(publicKeyOf(pemOf(privateKey, 'pkcs8'))).toEqual(derOf(publicKey));
});

test('an Ed25519 key with its public key beside it (PKCS#8 version 2), as Rust tools write it', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const [head, middle] = ['3053020101300506032b657004220420', 'a123032100'].map((hex) =>
    Buffer.from(hex, 'hex'),
  );
  const parts = [head, secret, middle, derOf(publicKey).subarray(-32)].map((part) => part ?? Buffer.alloc(0));
  const text = Buffer.concat(parts).toString('base64');
  const pem = `-----BEGIN PRIVATE KEY-----\n${text}\n-----END PRIVATE KEY-----\n`;
  expect(publicKeyOf(pem)).toEqual(derOf(publicKey));
});

test.each(['sec1', 'pkcs8'] as const)(
  'a secp256k1 key as %s, also behind the parameters of its curve',
  (type) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const parameters = '-----BEGIN EC PARAMETERS-----\nBgUrgQQACg==\n-----END EC PARAMETERS-----\n';
    expect(publicKeyOf(parameters + pemOf(privateKey, type))).toEqual(derOf(publicKey));
  },
);

test('what cannot be used is named', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const encrypted = privateKey.export({
    format: 'pem',
    type: 'pkcs8',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  });
  expect(() => identityOfPem(String(encrypted))).toThrow('encrypted');
  const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(() => identityOfPem(pemOf(other, 'pkcs8'))).toThrow('neither Ed25519 nor secp256k1');
  expect(() => identityOfPem('hello')).toThrow('no private key');
});
