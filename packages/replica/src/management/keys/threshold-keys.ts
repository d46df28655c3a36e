import { hkdfSync } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { KEY_NODES } from '../../cycles/fees.ts';
import { type ReplicaError, replicaErrors } from '@cannery/ic/errors';
import type { ExtendedSecret } from './derived-keys.ts';
import type { ManagementCall } from '../method/method.ts';

/** The keys of every algorithm, those the schedule of fees knows. All are test keys here: one process knows the secrets. */
export const KEY_NAMES: readonly string[] = Object.keys(KEY_NODES).toSorted();
/** `MAXIMUM_DERIVATION_PATH_LENGTH` of dfinity/ic `rs/types/management_canister_types`; also in the specification. */
const MAX_PATH = 255;
/** The chain code of a master key (dfinity/ic, key derivation of iDKG and `packages/ic-ed25519`). */
const MASTER_CHAIN_CODE = new Uint8Array(32);
/** Longer than the order, so that the remainder is as good as uniform. */
const MATERIAL_BYTES = 64;

/** How the replica writes the algorithms (`MasterPublicKeyId`). */
const ORDERS = {
  'ecdsa:Secp256k1': secp256k1.Point.Fn.ORDER,
  'schnorr:Bip340Secp256k1': secp256k1.Point.Fn.ORDER,
  'schnorr:Ed25519': ed25519.Point.Fn.ORDER,
  'vetkd:Bls12_381_G2': bls12_381.fields.Fr.ORDER,
} as const;
export type KeyAlgorithm = keyof typeof ORDERS;

/** The master key, or the replica's error for a key that does not exist. */
export function masterKey(
  seed: Uint8Array,
  algorithm: KeyAlgorithm,
  name: string,
): ExtendedSecret | undefined {
  if (!KEY_NAMES.includes(name)) return undefined;
  const material = hkdfSync('sha512', seed, new Uint8Array(0), `${algorithm}:${name}`, MATERIAL_BYTES);
  const order = ORDERS[algorithm];
  const secret = (BigInt(`0x${Buffer.from(material).toString('hex')}`) % (order - 1n)) + 1n;
  return { secret, chainCode: MASTER_CHAIN_CODE };
}

/** The key for `method`. Throws `unknownKey`; `use` says whether it is to sign or only to be shown. */
export function requireKey(
  call: ManagementCall,
  method: string,
  key: { readonly algorithm: KeyAlgorithm; readonly name: string; readonly use: 'sign' | 'show' },
): ExtendedSecret {
  const master = masterKey(call.env.state.seed, key.algorithm, key.name);
  if (master) return master;
  throw unknownKey(method, `${key.algorithm}:${key.name}`, key.use);
}

function unknownKey(method: string, key: string, use: 'sign' | 'show'): ReplicaError {
  const existing = Object.keys(ORDERS).flatMap((algorithm) =>
    KEY_NAMES.map((name) => `${algorithm}:${name}`),
  );
  const [disabled, enabled] = use === 'sign' ? [' or disabled', ' enabled'] : ['', ''];
  return replicaErrors.unroutable(
    method,
    `ChainKeyError("Requested unknown${disabled} threshold key: ${key}, existing${enabled} keys: [${existing.join(', ')}]")`,
  );
}

/** The path below the master key: the canister, then what it asked for. Throws `invalidPayload` when it is too long. */
export function derivationPath(canisterId: Uint8Array, path: readonly Uint8Array[]): Uint8Array[] {
  if (path.length > MAX_PATH) {
    throw replicaErrors.invalidPayload(
      `Error decoding candid: The number of elements exceeds maximum allowed ${MAX_PATH}`,
    );
  }
  return [canisterId, ...path];
}

/** Takes the fee of a key's use from the cycles of the call; throws `tooFewCyclesSent`. */
export function payForKey(call: ManagementCall, method: string, name: string): void {
  const fee = call.env.fees.keyUse(name) ?? 0n;
  if (call.cycles < fee) throw replicaErrors.tooFewCyclesSent(method, call.cycles, fee);
  call.cycles -= fee;
}
