import { randomBytes } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { getMemory } from 'mcl-wasm';
import { expect, test } from 'vitest';
import { openBls } from './index.ts';
import { malformedKeys, malformedSignatures } from './malformed.testing.ts';

const { isGoodSignature, signingKey } = await openBls();
const { shortSignatures: judge, G1, G2 } = bls12_381;
const keys = Array.from({ length: 4 }, () => judge.keygen());
const pick = (index: number): (typeof keys)[number] => keys[index % keys.length]!;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const signed = (message: Uint8Array, secretKey: Uint8Array): Uint8Array =>
  judge.sign(judge.hash(message), secretKey).toBytes();

/** What @noble/curves, an implementation that shares nothing with ours, says of a signature. */
function verdict(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  try {
    return judge.verify(signature, judge.hash(message), key);
  } catch {
    return false;
  }
}

test('keys and signatures are those of another library, byte for byte', () => {
  for (let length = 0; length < 200; length += 5) {
    const { secretKey, publicKey } = pick(length);
    const key = signingKey(secretKey);
    const message = randomBytes(length);
    expect(hex(key.publicKey())).toBe(hex(publicKey.toBytes()));
    expect(hex(key.sign(message))).toBe(hex(signed(message, secretKey)));
  }
});

test('a signature is good or not as another library has it, whatever of it is another', () => {
  const flip = (bytes: Uint8Array, bit: number): Uint8Array =>
    bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (0x80 >> (bit & 7)) : byte));
  const answers = { true: 0, false: 0 };
  for (let index = 0; index < 60; index += 1) {
    const { secretKey, publicKey } = pick(index);
    const message = randomBytes(1 + (index % 90));
    const signature = signed(message, secretKey);
    const bit = randomBytes(2).readUInt16BE();
    const key = publicKey.toBytes();
    const cases: [Uint8Array, Uint8Array, Uint8Array][] = [
      [key, signature, message],
      [key, signature, flip(message, bit % (message.length * 8))],
      [key, flip(signature, bit % 384), message],
      // The third bit tells which of the two points with this x is meant.
      [key, flip(signature, 2), message],
      [flip(key, bit % 768), signature, message],
      [pick(index + 1).publicKey.toBytes(), signature, message],
    ];
    const tried = cases[index % cases.length]!;
    const isGood = isGoodSignature(...tried);
    expect(isGood, tried.map(hex).join(' ')).toBe(verdict(...tried));
    answers[`${isGood}`] += 1;
  }
  expect(answers).toEqual({ true: 10, false: 50 });
});

test('what is no compressed point of its group is refused, as by another library', () => {
  const message = Buffer.from('a state');
  const { secretKey, publicKey } = pick(0);
  const [key, signature] = [publicKey.toBytes(), signed(message, secretKey)];
  const [signatures, others] = [malformedSignatures(signature), malformedKeys(key)];
  expect(Object.keys(signatures).length + Object.keys(others).length).toBeGreaterThan(80);
  for (const [name, bytes] of Object.entries(signatures)) {
    expect([name, isGoodSignature(key, bytes, message)]).toEqual([name, false]);
    expect([name, verdict(key, bytes, message)]).toEqual([name, false]);
  }
  for (const [name, bytes] of Object.entries(others)) {
    expect([name, isGoodSignature(bytes, signature, message)]).toEqual([name, false]);
    expect([name, verdict(bytes, signature, message)]).toEqual([name, false]);
  }
  expect(isGoodSignature(key, signature, message)).toBe(true);
});

test('nothing fits the point at infinity, and points are taken compressed only', () => {
  const message = Buffer.from('a state');
  const { secretKey, publicKey } = pick(0);
  const noKey = G2.Point.ZERO.toBytes();
  const noSignature = G1.Point.ZERO.toBytes();
  expect(isGoodSignature(noKey, noSignature, message)).toBe(false);
  expect(verdict(noKey, noSignature, message)).toBe(false);
  const signature = judge.sign(judge.hash(message), secretKey);
  expect(isGoodSignature(publicKey.toBytes(), signature.toBytes(false), message)).toBe(false);
  expect(isGoodSignature(publicKey.toBytes(false), signature.toBytes(), message)).toBe(false);
});

test('a secret key is a number between 0 and the order of the group, in 32 bytes', () => {
  const order = Buffer.from(bls12_381.fields.Fr.ORDER.toString(16).padStart(64, '0'), 'hex');
  for (const wrong of [new Uint8Array(32), order, new Uint8Array(32).fill(255), new Uint8Array(31).fill(1)]) {
    expect(() => signingKey(wrong)).toThrow(RangeError);
  }
});

test('many keys, signatures and checks do not make the memory of the library grow', () => {
  const message = Buffer.from('a state');
  const signature = signingKey(pick(0).secretKey).sign(message);
  const before = getMemory().buffer.byteLength;
  for (let round = 0; round < 150; round += 1) {
    const key = signingKey(bls12_381.utils.randomSecretKey());
    key.sign(randomBytes(40));
    expect(isGoodSignature(key.publicKey(), signature, message)).toBe(false);
    expect(isGoodSignature(key.publicKey(), randomBytes(48), message)).toBe(false);
  }
  expect(getMemory().buffer.byteLength).toBe(before);
});
