import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { describe, expect, test } from 'vitest';
import { ed25519Signer, ed25519Verifier } from './ed25519.ts';
import { sodium } from './sodium.ts';

/** The order of the group of Ed25519 (RFC 8032, 5.1). */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const PRIME = 2n ** 255n - 19n;
/** The eight points of small order, and the spellings of them that are not canonical (RFC 8032, 5.1.3). */
const SMALL_ORDER = [
  littleEndian(0n),
  littleEndian(1n),
  littleEndian(PRIME - 1n),
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  littleEndian(PRIME),
  littleEndian(PRIME + 1n),
].flatMap((point) => {
  const bytes = Buffer.from(point, 'hex');
  const negative = Buffer.from(bytes);
  negative.writeUInt8(negative.readUInt8(31) | 0x80, 31);
  return [bytes, negative];
});

function littleEndian(value: bigint): string {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
}

function publicKey(bytes: Uint8Array): KeyObject {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

const bytesOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' }).subarray(-32);
const flip = (bytes: Uint8Array, bit: number): Buffer =>
  Buffer.from(bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)));

/** The binary for Linux wants glibc 2.33. */
function hasOldGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return process.platform === 'linux' && Number(header.glibcVersionRuntime?.split('.')[1] ?? 0) < 33;
}

test.skipIf(hasOldGlibc())('libsodium is there', () => {
  expect(sodium).not.toBeNull();
});

describe.each([
  ['libsodium', undefined],
  ['the crypto library', null],
])('with %s', (_name, threads) => {
  test('signatures are those of the crypto library, byte for byte', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { privateKey } = generateKeyPairSync('ed25519');
      const signer = ed25519Signer(privateKey, threads);
      for (let length = 0; length < 200; length += 1) {
        const message = randomBytes(length);
        expect(Buffer.from(await signer(message))).toEqual(sign(null, message, privateKey));
      }
    }
  });

  test('the known answer of RFC 8032, 7.1, test 2', async () => {
    const seed = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
    const der = Buffer.from(`302e020100300506032b657004220420${seed}`, 'hex');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const signature = Buffer.from(await ed25519Signer(key, threads)(Uint8Array.of(0x72)));
    expect(signature.toString('hex')).toBe(
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
    expect(await ed25519Verifier(createPublicKey(key), threads)(Uint8Array.of(0x72), signature)).toBe(true);
  });

  test('a signature is good or not as the crypto library has it, whatever of it is another', async () => {
    const keys = Array.from({ length: 4 }, () => generateKeyPairSync('ed25519'));
    let good = 0;
    for (let index = 0; index < 400; index += 1) {
      const { privateKey, publicKey: right } = keys[index % 4]!;
      const message = randomBytes(1 + (index % 90));
      const signature = sign(null, message, privateKey);
      const bit = randomBytes(2).readUInt16BE();
      const cases: [KeyObject, Uint8Array, Uint8Array][] = [
        [right, message, signature],
        [right, flip(message, bit % (message.length * 8)), signature],
        [right, message, flip(signature, bit % 512)],
        [publicKey(flip(bytesOf(right), bit % 256)), message, signature],
        [keys[(index + 1) % 4]!.publicKey, message, signature],
      ];
      const [key, ...rest] = cases[index % cases.length]!;
      const isGood = await ed25519Verifier(key, threads)(...rest);
      expect(isGood).toBe(verify(null, rest[0], key, rest[1]));
      if (isGood) good += 1;
    }
    expect(good).toBe(80);
  });

  test('what is no signature or no key is refused', async () => {
    const { privateKey, publicKey: right } = generateKeyPairSync('ed25519');
    const message = randomBytes(40);
    const signature = sign(null, message, privateKey);
    const [point, scalar] = [signature.subarray(0, 32), signature.subarray(32)];
    const number = BigInt(`0x${Buffer.from(scalar).reverse().toString('hex')}`);
    const withScalar = (value: bigint): Buffer =>
      Buffer.concat([point, Buffer.from(littleEndian(value), 'hex')]);
    const withPoint = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, scalar]);
    const wrong = [
      Buffer.alloc(0),
      signature.subarray(0, 63),
      Buffer.concat([signature, Buffer.of(0)]),
      Buffer.concat([signature, signature]),
      Buffer.alloc(64),
      Buffer.alloc(64, 255),
      Buffer.concat([scalar, point]),
      // The same number in other words: a signature has one spelling.
      withScalar(number + ORDER),
      withScalar(number + 2n * ORDER),
      withScalar(ORDER),
      withScalar(0n),
      withScalar(2n ** 256n - 1n),
      ...SMALL_ORDER.map(withPoint),
      withPoint(Buffer.from(littleEndian(PRIME + 2n), 'hex')),
      ...Array.from({ length: 20 }, () => withPoint(randomBytes(32))),
      ...Array.from({ length: 20 }, () => randomBytes(64)),
    ];
    const isGood = ed25519Verifier(right, threads);
    for (const each of wrong) {
      expect([each.toString('hex'), await isGood(message, each)]).toEqual([each.toString('hex'), false]);
    }
    for (let count = 0; count < 20; count += 1) {
      expect(await ed25519Verifier(publicKey(randomBytes(32)), threads)(message, signature)).toBe(false);
    }
    expect(await isGood(message, signature)).toBe(true);
  });

  test('for a key of small order, for which anybody can make signatures, none is good', async () => {
    const message = randomBytes(40);
    let made = 0;
    for (const bytes of SMALL_ORDER) {
      const isGood = ed25519Verifier(publicKey(bytes), threads);
      for (const point of SMALL_ORDER) {
        const signature = Buffer.concat([point, Buffer.alloc(32)]);
        expect(await isGood(message, signature)).toBe(false);
        // The equation of RFC 8032 alone holds for those.
        if (ed25519.verify(signature, message, bytes, { zip215: true })) made += 1;
      }
    }
    expect(made).toBeGreaterThan(50);
  });
});
