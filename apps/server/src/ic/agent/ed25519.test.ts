import { randomBytes } from 'node:crypto';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Secp256k1KeyIdentity } from '@icp-sdk/core/identity/secp256k1';
import { expect, test } from 'vitest';
import { isSignedBy, NativeIdentity } from './ed25519.ts';

const identity = Ed25519KeyIdentity.generate();
const key = identity.getPublicKey().toDer();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('an identity has the key, the principal and, byte for byte, the signatures of the agent', async () => {
  const native = new NativeIdentity(identity);
  expect(native.getPublicKey().toDer()).toEqual(key);
  expect(native.getPrincipal().toText()).toBe(identity.getPrincipal().toText());
  for (let length = 0; length < 100; length += 1) {
    const message = new Uint8Array(randomBytes(length));
    expect(hex(await native.sign(message))).toBe(hex(await identity.sign(message)));
  }
});

test('an identity whose public key belongs to another secret is refused', () => {
  const other = Ed25519KeyIdentity.generate().getKeyPair();
  const mixed = Ed25519KeyIdentity.fromParsedJson([hex(key), hex(other.secretKey)]);
  expect(() => new NativeIdentity(mixed)).toThrow('not its own');
});

test('a signature fits its key and its message, and nothing else', async () => {
  const message = new Uint8Array(randomBytes(40));
  const signature = await identity.sign(message);
  const flip = (bytes: Uint8Array, bit: number): Uint8Array =>
    bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
  expect(isSignedBy(key, signature, message)).toBe(true);
  for (let bit = 0; bit < 320; bit += 1) expect(isSignedBy(key, signature, flip(message, bit))).toBe(false);
  for (let bit = 0; bit < 512; bit += 1) expect(isSignedBy(key, flip(signature, bit), message)).toBe(false);
  // Keys of every ending: one that ends with zero bits has other spellings, which are not DER.
  for (let tries = 0; tries < 20; tries += 1) {
    const other = Ed25519KeyIdentity.generate();
    const der = other.getPublicKey().toDer();
    const signed = await other.sign(message);
    for (let bit = 0; bit < der.length * 8; bit += 1)
      expect(isSignedBy(flip(der, bit), signed, message)).toBe(false);
  }
  expect(isSignedBy(key, signature.subarray(1), message)).toBe(false);
  expect(isSignedBy(new Uint8Array(), signature, message)).toBe(false);
});

test('a signature by a key of another kind counts for nothing', async () => {
  const other = Secp256k1KeyIdentity.generate();
  const message = new Uint8Array(randomBytes(40));
  expect(isSignedBy(other.getPublicKey().toDer(), await other.sign(message), message)).toBe(false);
});
