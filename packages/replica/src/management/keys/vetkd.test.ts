import { createHash, randomBytes } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { expect, test } from 'vitest';
import { deriveVetKeys, encryptedVetKey, TransportKeyError } from './vetkd.ts';

const { G1, G2, fields, pairing } = bls12_381;
const CANISTER = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 9, 1, 1);
const MASTER = 0x1234_5678_9abc_def0_1234n;
const INPUT = new TextEncoder().encode('alice');

/** `expand_message_xmd` of RFC 9380 with SHA-256, for 48 bytes. */
function expand(message: Buffer, tag: string): bigint {
  const dst = Buffer.concat([Buffer.from(tag), Buffer.of(tag.length)]);
  const sha = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
  const b0 = sha(Buffer.alloc(64), message, Buffer.of(0, 48, 0), dst);
  const b1 = sha(b0, Buffer.of(1), dst);
  const b2 = sha(Buffer.from(b0.map((byte, i) => byte ^ (b1[i] ?? 0))), Buffer.of(2), dst);
  return BigInt(`0x${Buffer.concat([b1, b2]).subarray(0, 48).toString('hex')}`) % fields.Fr.ORDER;
}

function prefixed(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(bytes.length));
  return Buffer.concat([length, bytes]);
}

/** The public key a client derives offline. */
function offline(context: Uint8Array): Uint8Array {
  const step = (key: InstanceType<typeof G2.Point>, input: Uint8Array, tag: string) =>
    key.add(
      G2.Point.BASE.multiply(expand(Buffer.concat([prefixed(key.toBytes(true)), prefixed(input)]), tag)),
    );
  const master = G2.Point.BASE.multiply(MASTER);
  const canister = step(master, CANISTER, 'ic-vetkd-bls12-381-g2-canister-id');
  return (context.length === 0 ? canister : step(canister, context, 'ic-vetkd-bls12-381-g2-context')).toBytes(
    true,
  );
}

test('public keys are those that clients derive offline', () => {
  for (const context of [new Uint8Array(0), new TextEncoder().encode('notes')]) {
    const { publicKey } = deriveVetKeys(MASTER, CANISTER, context);
    expect(Buffer.from(publicKey).toString('hex')).toBe(Buffer.from(offline(context)).toString('hex'));
  }
});

test('the encrypted key verifies, and its holder decrypts a valid key', () => {
  const keys = deriveVetKeys(MASTER, CANISTER, new TextEncoder().encode('notes'));
  const transportSecret = BigInt(`0x${randomBytes(31).toString('hex')}`);
  const transport = G1.Point.BASE.multiply(transportSecret);
  const encrypted = encryptedVetKey(keys, INPUT, transport.toBytes(true));
  expect(encrypted).toHaveLength(48 + 96 + 48);
  const e1 = G1.Point.fromBytes(encrypted.subarray(0, 48));
  const e2 = G2.Point.fromBytes(encrypted.subarray(48, 144));
  const e3 = G1.Point.fromBytes(encrypted.subarray(144));
  const { Fp12 } = fields;
  const derived = G2.Point.fromBytes(keys.publicKey);
  const hashed = G1.hashToCurve(new Uint8Array(Buffer.concat([keys.publicKey, INPUT])), {
    DST: 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_AUG_',
  }) as InstanceType<typeof G1.Point>;
  expect(Fp12.eql(pairing(e1, G2.Point.BASE), pairing(G1.Point.BASE, e2))).toBe(true);
  const right = Fp12.mul(pairing(transport, e2), pairing(hashed, derived));
  expect(Fp12.eql(pairing(e3, G2.Point.BASE), right)).toBe(true);
  const key = e3.subtract(e1.multiply(transportSecret));
  expect(Fp12.eql(pairing(key, G2.Point.BASE), pairing(hashed, derived))).toBe(true);
});

test('what is no point of G1 is refused as a transport key', () => {
  const keys = deriveVetKeys(MASTER, CANISTER, INPUT);
  for (const wrong of [new Uint8Array(0), new Uint8Array(48), G2.Point.BASE.toBytes(true)]) {
    expect(() => encryptedVetKey(keys, INPUT, wrong)).toThrow(TransportKeyError);
  }
});
