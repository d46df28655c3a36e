import { createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { principal, TestClient } from '../engine-client.ts';
import { Proxy } from '../canisters/proxy-canister.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
/** Fees of the keys on subnets of 13 and of 34 nodes ("Cycle costs", threshold cryptography). */
const TEST_FEE = 10_000_000_000n;
const KEY_1_FEE = 26_153_846_153n;
const PATH = [new Uint8Array([1, 2]), new Uint8Array(0)];
interface PublicKey {
  public_key: Uint8Array;
  chain_code: Uint8Array;
}
interface Signed {
  signature: Uint8Array;
}

const ecdsaKey = (name: string): object => ({ curve: { secp256k1: null }, name });
const schnorrKey = (algorithm: string, name = 'key_1'): object => ({
  algorithm: { [algorithm]: null },
  name,
});
const vetKey = (name: string): object => ({ curve: { bls12_381_g2: null }, name });
const bip341 = (root: Uint8Array): object => ({ bip341: { merkle_root_hash: root } });

describe('signatures and derived keys', { timeout: 60_000 }, () => {
  let client: TestClient;
  let proxy: Proxy;
  beforeAll(async () => {
    client = await TestClient.start();
    proxy = await Proxy.deploy(client);
  });
  afterAll(() => client[Symbol.asyncDispose]());

  const spent = async (action: () => Promise<unknown>): Promise<bigint> => {
    const before = await client.cycles(proxy.id);
    await action();
    return before - (await client.cycles(proxy.id));
  };

  test('an ECDSA signature verifies against the public key of the canister and path, for every key name', async () => {
    const message_hash = new Uint8Array(createHash('sha256').update('hello').digest());
    for (const name of ['dfx_test_key', 'test_key_1', 'key_1']) {
      const key_id = ecdsaKey(name);
      const key = (await proxy.call('ecdsa_public_key', { derivation_path: PATH, key_id })) as PublicKey;
      const arg = { message_hash, derivation_path: PATH, key_id };
      const { signature } = (await proxy.call('sign_with_ecdsa', arg, KEY_1_FEE)) as Signed;
      expect(signature).toHaveLength(64);
      const check = (bytes: Uint8Array): boolean =>
        secp256k1.verify(signature, bytes, key.public_key, { prehash: false });
      expect(check(message_hash)).toBe(true);
      expect(check(new Uint8Array(32))).toBe(false);
      const other = { canister_id: principal(new Uint8Array(10)), derivation_path: PATH, key_id };
      expect(hex(((await proxy.call('ecdsa_public_key', other)) as PublicKey).public_key)).not.toBe(
        hex(key.public_key),
      );
    }
  });

  test('the keys are the same after a restart', async () => {
    const arg = { derivation_path: PATH, key_id: schnorrKey('ed25519') };
    const before = (await proxy.call('schnorr_public_key', arg)) as PublicKey;
    await client.restart();
    expect(await proxy.call('schnorr_public_key', arg)).toEqual(before);
  });

  test('Ed25519 and BIP340 signatures verify, with a taproot tweak too', async () => {
    const message = new Uint8Array(randomBytes(100));
    const sign = async (key_id: object, aux?: object): Promise<Uint8Array> => {
      const arg = { message, derivation_path: PATH, key_id, ...(aux && { aux }) };
      return ((await proxy.call('sign_with_schnorr', arg, KEY_1_FEE)) as Signed).signature;
    };
    const publicKey = async (key_id: object): Promise<Uint8Array> =>
      ((await proxy.call('schnorr_public_key', { derivation_path: PATH, key_id })) as PublicKey).public_key;
    const raw = await publicKey(schnorrKey('ed25519'));
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]);
    const edwards = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    expect(verify(null, message, edwards, await sign(schnorrKey('ed25519')))).toBe(true);
    const bip340 = schnorrKey('bip340secp256k1');
    const point = await publicKey(bip340);
    expect(schnorr.verify(await sign(bip340), message, point.subarray(1))).toBe(true);
    for (const root of [new Uint8Array(0), new Uint8Array(randomBytes(32))]) {
      const tag = createHash('sha256').update('TapTweak').digest();
      const tweak = createHash('sha256')
        .update(tag)
        .update(tag)
        .update(point.subarray(1))
        .update(root)
        .digest();
      const { Point } = secp256k1;
      const even = Point.fromBytes(new Uint8Array([2, ...point.subarray(1)]));
      const output = even.add(Point.BASE.multiply(BigInt(`0x${tweak.toString('hex')}`)));
      const signature = await sign(bip340, bip341(root));
      expect(schnorr.verify(signature, message, output.toBytes(true).subarray(1))).toBe(true);
    }
  });

  test('a vetKD key decrypts, and verifies against the public key of its context', async () => {
    const { G1, G2, fields, pairing } = bls12_381;
    const context = new TextEncoder().encode('notes');
    const input = new TextEncoder().encode('alice');
    const key_id = vetKey('test_key_1');
    const { public_key } = (await proxy.call('vetkd_public_key', { context, key_id })) as PublicKey;
    const transport = 0xabcdefn;
    const arg = {
      input,
      context,
      key_id,
      transport_public_key: G1.Point.BASE.multiply(transport).toBytes(true),
    };
    const { encrypted_key } = (await proxy.call('vetkd_derive_key', arg, TEST_FEE)) as {
      encrypted_key: Uint8Array;
    };
    const e1 = G1.Point.fromBytes(encrypted_key.slice(0, 48));
    const e3 = G1.Point.fromBytes(encrypted_key.slice(144));
    const key = e3.subtract(e1.multiply(transport));
    const hashed = G1.hashToCurve(new Uint8Array([...public_key, ...input]), {
      DST: 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_AUG_',
    }) as InstanceType<typeof G1.Point>;
    const derived = G2.Point.fromBytes(public_key.slice());
    expect(fields.Fp12.eql(pairing(key, G2.Point.BASE), pairing(hashed, derived))).toBe(true);
    await expect(
      proxy.call('vetkd_derive_key', { ...arg, transport_public_key: new Uint8Array(48) }, TEST_FEE),
    ).rejects.toMatchObject({ rejectCode: 4 });
  });

  test('a signature costs its fee, the rest of the cycles comes back, and too few are refused', async () => {
    const sign = (name: string, cycles: bigint): Promise<unknown> =>
      proxy.call(
        'sign_with_ecdsa',
        { message_hash: new Uint8Array(32), derivation_path: [], key_id: ecdsaKey(name) },
        cycles,
      );
    const plain = await spent(() =>
      proxy.call('ecdsa_public_key', { derivation_path: [], key_id: ecdsaKey('key_1') }),
    );
    const signed = await spent(() => sign('key_1', 3n * KEY_1_FEE));
    // The two calls differ in their other costs by far less than a fee.
    expect(signed - plain).toBeGreaterThan(KEY_1_FEE - 100_000_000n);
    expect(signed - plain).toBeLessThan(KEY_1_FEE + 100_000_000n);
    await expect(sign('test_key_1', TEST_FEE - 1n)).rejects.toMatchObject({
      rejectCode: 4,
      message: `sign_with_ecdsa request sent with ${TEST_FEE - 1n} cycles, but ${TEST_FEE} cycles are required.`,
    });
  });

  test('wrong keys, hashes, paths and additions are refused', async () => {
    const hash = new Uint8Array(32);
    const sign = (method: string, arg: object): Promise<unknown> =>
      proxy.call(method, { derivation_path: [], ...arg }, KEY_1_FEE);
    await expect(
      sign('sign_with_ecdsa', { message_hash: hash, key_id: ecdsaKey('key_2') }),
    ).rejects.toMatchObject({
      rejectCode: 3,
      message: expect.stringMatching(/unknown or disabled threshold key: ecdsa:Secp256k1:key_2/) as string,
    });
    await expect(
      proxy.call('schnorr_public_key', { derivation_path: [], key_id: schnorrKey('ed25519', 'key_2') }),
    ).rejects.toThrow(/Requested unknown threshold key: schnorr:Ed25519:key_2/);
    await expect(
      sign('sign_with_ecdsa', { message_hash: new Uint8Array(31), key_id: ecdsaKey('key_1') }),
    ).rejects.toThrow(/must be 32 bytes/);
    const long = Array.from({ length: 256 }, () => new Uint8Array(0));
    await expect(
      sign('sign_with_ecdsa', { message_hash: hash, key_id: ecdsaKey('key_1'), derivation_path: long }),
    ).rejects.toThrow(/maximum allowed 255/);
    await expect(
      sign('sign_with_schnorr', { message: hash, key_id: schnorrKey('ed25519'), aux: bip341(hash) }),
    ).rejects.toThrow(/Ed25519 does not support aux input/);
    await expect(
      sign('sign_with_schnorr', {
        message: hash,
        key_id: schnorrKey('bip340secp256k1'),
        aux: bip341(new Uint8Array(8)),
      }),
    ).rejects.toThrow(/Invalid aux field for Bip340Secp256k1/);
  });
});
