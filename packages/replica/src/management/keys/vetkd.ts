import { bls12_381 } from '@noble/curves/bls12-381.js';
import { replicaErrors } from '@cannery/ic/errors';
import { freshRandomness, type Randomness } from '../../random.ts';
import { managementMethod } from '../method/method.ts';
import { payForKey, requireKey } from './threshold-keys.ts';

/**
 * Verifiably encrypted key derivation over BLS12-381. Source: interface specification, `vetkd_derive_key`;
 * derivation of keys as in dfinity/ic `rs/crypto/internal/crypto_lib/bls12_381/vetkd`, so that public keys can be
 * derived offline by the usual clients.
 */

const { G1, G2 } = bls12_381;
const { Fr } = bls12_381.fields;
const CANISTER_TAG = 'ic-vetkd-bls12-381-g2-canister-id';
const CONTEXT_TAG = 'ic-vetkd-bls12-381-g2-context';
const SIGNATURE_TAG = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_AUG_';
/** Bytes of randomness for a scalar: more than the order, so that the remainder is as good as uniform. */
const SCALAR_MATERIAL_BYTES = 48;

interface VetKeyPair {
  readonly secret: bigint;
  /** G2 element in compressed form, 96 bytes. */
  readonly publicKey: Uint8Array;
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const publicKeyOf = (secret: bigint): Uint8Array => G2.Point.BASE.multiply(secret).toBytes(true);

function withLength(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(bytes.length));
  return new Uint8Array(Buffer.concat([length, bytes]));
}

function offset(key: Uint8Array, input: Uint8Array, tag: string): bigint {
  const message = new Uint8Array(Buffer.concat([withLength(key), withLength(input)]));
  return G2.hashToScalar(message, { DST: tag });
}

/** The keys of a canister, for a context unless that is empty. */
export function deriveVetKeys(master: bigint, canisterId: Uint8Array, context: Uint8Array): VetKeyPair {
  const canister = Fr.add(master, offset(publicKeyOf(master), canisterId, CANISTER_TAG));
  const publicKey = publicKeyOf(canister);
  if (context.length === 0) return { secret: canister, publicKey };
  const secret = Fr.add(canister, offset(publicKey, context, CONTEXT_TAG));
  return { secret, publicKey: publicKeyOf(secret) };
}

/** The transport public key is no element of G1. */
export class TransportKeyError extends Error {
  override readonly name = 'TransportKeyError';
}

function transportPoint(bytes: Uint8Array): InstanceType<typeof G1.Point> {
  try {
    const point = G1.Point.fromBytes(bytes);
    point.assertValidity();
    return point;
  } catch {
    throw new TransportKeyError('not a point of G1 in compressed form');
  }
}

/** The derived key of `input`, encrypted for the holder of the transport key. Throws `TransportKeyError`. */
export function encryptedVetKey(
  { secret, publicKey }: VetKeyPair,
  input: Uint8Array,
  transportKey: Uint8Array,
  random: Randomness = freshRandomness,
): Uint8Array {
  const transport = transportPoint(transportKey);
  const nonce = (numberOf(random(SCALAR_MATERIAL_BYTES)) % (Fr.ORDER - 1n)) + 1n;
  const hashed = G1.hashToCurve(new Uint8Array(Buffer.concat([publicKey, input])), { DST: SIGNATURE_TAG });
  return new Uint8Array(
    Buffer.concat([
      G1.Point.BASE.multiply(nonce).toBytes(true),
      G2.Point.BASE.multiply(nonce).toBytes(true),
      transport.multiply(nonce).add(hashed.multiply(secret)).toBytes(true),
    ]),
  );
}

const ALGORITHM = 'vetkd:Bls12_381_G2';

export const vetkdPublicKey = managementMethod({
  name: 'vetkd_public_key',
  callers: { kind: 'canisters' },
  run(call, { canister_id: [canister], context, key_id }) {
    const key = { algorithm: ALGORITHM, name: key_id.name, use: 'show' } as const;
    const master = requireKey(call, 'vetkd_public_key', key);
    const canisterId = canister?.toUint8Array() ?? call.sender;
    return { public_key: deriveVetKeys(master.secret, canisterId, context).publicKey };
  },
});

export const vetkdDeriveKey = managementMethod({
  name: 'vetkd_derive_key',
  callers: { kind: 'canisters' },
  run(call, { input, context, transport_public_key, key_id }) {
    const key = { algorithm: ALGORITHM, name: key_id.name, use: 'sign' } as const;
    const master = requireKey(call, 'vetkd_derive_key', key);
    payForKey(call, 'vetkd_derive_key', key_id.name);
    const keys = deriveVetKeys(master.secret, call.sender, context);
    try {
      return { encrypted_key: encryptedVetKey(keys, input, transport_public_key, call.env.random) };
    } catch (error) {
      if (error instanceof TransportKeyError) {
        throw replicaErrors.refused(`The transport public key is invalid: ${error.message}`);
      }
      throw error;
    }
  },
});
