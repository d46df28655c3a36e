import { createHash, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { describe, expect, test } from 'vitest';
import {
  deriveEd25519,
  deriveSecp,
  ed25519PublicKey,
  secpPublicKey,
  secpSecretBytes,
  signBip340,
  signEd25519,
  taprootSecret,
} from './derived-keys.ts';
import { KEY_NAMES, masterKey } from './threshold-keys.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const SEED = Uint8Array.from({ length: 32 }, (_, i) => i);

/** SubjectPublicKeyInfo of a raw Ed25519 key, for the verifier of Node. */
const ed25519Key = (raw: Uint8Array): ReturnType<typeof createPublicKey> =>
  createPublicKey({
    key: Buffer.concat([bytes('302a300506032b6570032100'), raw]),
    format: 'der',
    type: 'spki',
  });

describe('keys of canisters', () => {
  test('secp256k1 children are those of BIP32 (its test vector 2, m and m/0)', () => {
    const master = {
      secret: BigInt('0x4b03d6fc340455b363f51020ad3ecca4f0850280cf436c70c727923f6db46c3e'),
      chainCode: bytes('60499f801b896d83179a4374aeb7822aaeaceaa0db1f85ee3e904c4defbd9689'),
    };
    const child = deriveSecp(master, [Uint8Array.of(0, 0, 0, 0)]);
    expect(hex(secpSecretBytes(child.secret))).toBe(
      'abe74a98f6c7eabee0428f53798f0ab8aa1bd37873999041703c742f15ac7e1e',
    );
    expect(hex(child.chainCode)).toBe('f0909affaa7ee7abe5dd4e100598d4dc53cd709d5a5c2cac40e7412f232f7c9c');
  });

  test('indices of any length give keys of their own', () => {
    const master = masterKey(SEED, 'ecdsa:Secp256k1', 'key_1');
    if (!master) throw new Error('no key');
    const paths = [
      [],
      [Uint8Array.of()],
      [Uint8Array.of(1)],
      [Uint8Array.of(1, 2, 3, 4, 5)],
      [Uint8Array.of(1), Uint8Array.of()],
    ];
    expect(new Set(paths.map((path) => hex(secpPublicKey(deriveSecp(master, path).secret)))).size).toBe(5);
  });

  test('the names stand for different keys, and there are no others', () => {
    const secrets = KEY_NAMES.map((name) => masterKey(SEED, 'schnorr:Ed25519', name)?.secret);
    expect(new Set(secrets).size).toBe(3);
    expect(masterKey(SEED, 'schnorr:Ed25519', 'key_2')).toBeUndefined();
    expect(masterKey(SEED, 'schnorr:Ed25519', 'toString')).toBeUndefined();
    expect(masterKey(Uint8Array.of(1), 'schnorr:Ed25519', 'key_1')?.secret).not.toBe(secrets[1]);
  });

  test('Ed25519 children can be derived from the public key alone, as the specification says', () => {
    const master = masterKey(SEED, 'schnorr:Ed25519', 'key_1');
    if (!master) throw new Error('no key');
    const path = [Uint8Array.of(0, 0, 1), new Uint8Array(0), Uint8Array.of(255)];
    let point = ed25519.Point.BASE.multiply(master.secret);
    let chainCode = master.chainCode;
    for (const index of path) {
      const okm = Buffer.from(
        hkdfSync('sha512', Buffer.concat([point.toBytes(), index]), chainCode, 'Ed25519', 96),
      );
      const tweak = BigInt(`0x${okm.subarray(0, 64).toString('hex')}`) % ed25519.Point.Fn.ORDER;
      point = point.add(ed25519.Point.BASE.multiply(tweak));
      chainCode = new Uint8Array(okm.subarray(64));
    }
    const child = deriveEd25519(master, path);
    expect(hex(ed25519PublicKey(child.secret))).toBe(hex(point.toBytes()));
    expect(hex(child.chainCode)).toBe(hex(chainCode));
  });

  test('Ed25519 signatures verify with Node, and only for their message', () => {
    const secret = 0x1234_5678_9abc_def0n;
    const publicKey = ed25519Key(ed25519PublicKey(secret));
    for (const length of [0, 1, 31, 5_000]) {
      const message = randomBytes(length);
      const signature = signEd25519(secret, message);
      expect(signature).toHaveLength(64);
      expect(verify(null, message, publicKey, signature)).toBe(true);
      expect(verify(null, Buffer.concat([message, Buffer.of(0)]), publicKey, signature)).toBe(false);
    }
  });

  test('the output key of taproot is that of BIP341 (its key path spending vector)', () => {
    const secret = BigInt('0x6b973d88838f27366ed61c9ad6367663045cb456e28335c109e30717ae0c6baa');
    const tweaked = taprootSecret(secret, new Uint8Array(0));
    expect(hex(secpSecretBytes(tweaked))).toBe(
      '2405b971772ad26915c8dcdf10f238753a9b837e5f8e6a86fd7c0cce5b7296d9',
    );
  });

  test('BIP340 signatures verify against the public key without its first byte, whatever its parity', () => {
    for (const secret of [2n, 3n, 4n, 5n, 6n, 7n]) {
      const message = randomBytes(Number(secret) * 7);
      const signature = signBip340(secret, message);
      expect(schnorr.verify(signature, message, secpPublicKey(secret).subarray(1))).toBe(true);
      const root = createHash('sha256').update(message).digest();
      const output = secp256k1.getPublicKey(secpSecretBytes(taprootSecret(secret, root))).subarray(1);
      expect(schnorr.verify(signBip340(taprootSecret(secret, root), message), message, output)).toBe(true);
      expect(schnorr.verify(signature, message, output)).toBe(false);
    }
  });
});
