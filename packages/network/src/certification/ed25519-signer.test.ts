import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { Ed25519Signer } from './ed25519-signer.ts';

function newKey(): { signer: Ed25519Signer; reference: (message: Uint8Array) => Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const signer = new Ed25519Signer(seed, point);
  const [signature] = signer.signAll([seed]);
  expect(verify(null, seed, publicKey, signature ?? new Uint8Array())).toBe(true);
  return { signer, reference: (message) => sign(null, message, privateKey) };
}

test('signatures are those of the crypto library, byte for byte', () => {
  for (let round = 0; round < 5; round += 1) {
    const { signer, reference } = newKey();
    // More than fit into one batch.
    const messages = Array.from({ length: 300 }, (_, length) => randomBytes(length));
    expect(signer.signAll(messages).map((each) => Buffer.from(each))).toEqual(messages.map(reference));
  }
});

test('a message signed alone has the same signature as in company', () => {
  const { signer, reference } = newKey();
  for (let count = 0; count < 200; count += 1) {
    const message = randomBytes(44);
    expect(signer.signAll([message])).toEqual([new Uint8Array(reference(message))]);
  }
  expect(signer.signAll([])).toEqual([]);
});

test('the known answer of RFC 8032, 7.1, test 2', () => {
  const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
  const signer = new Ed25519Signer(
    bytes('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'),
    bytes('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
  );
  expect(signer.signAll([Uint8Array.of(0x72)])).toEqual([
    bytes(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ),
  ]);
});
