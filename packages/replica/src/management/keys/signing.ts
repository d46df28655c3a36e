import { secp256k1 } from '@noble/curves/secp256k1.js';
import { replicaErrors } from '@cannery/ic/errors';
import type { IcTypes } from '@cannery/ic/generated/ic-interface';
import type { Randomness } from '../../random.ts';
import { managementMethod } from '../method/method.ts';
import {
  deriveEd25519,
  deriveSecp,
  ed25519PublicKey,
  type ExtendedSecret,
  secpPublicKey,
  secpSecretBytes,
  signBip340,
  signEd25519,
  taprootSecret,
} from './derived-keys.ts';
import { derivationPath, type KeyAlgorithm, payForKey, requireKey } from './threshold-keys.ts';

const ALGORITHM = 'ecdsa:Secp256k1';
const HASH_BYTES = 32;

export const ecdsaPublicKey = managementMethod({
  name: 'ecdsa_public_key',
  callers: { kind: 'canisters' },
  run(call, { canister_id: [canister], derivation_path, key_id }) {
    const key = { algorithm: ALGORITHM, name: key_id.name, use: 'show' } as const;
    const master = requireKey(call, 'ecdsa_public_key', key);
    const path = derivationPath(canister?.toUint8Array() ?? call.sender, derivation_path);
    const { secret, chainCode } = deriveSecp(master, path);
    return { public_key: secpPublicKey(secret), chain_code: chainCode };
  },
});

export const signWithEcdsa = managementMethod({
  name: 'sign_with_ecdsa',
  callers: { kind: 'canisters' },
  run(call, { message_hash, derivation_path, key_id }) {
    const key = { algorithm: ALGORITHM, name: key_id.name, use: 'sign' } as const;
    const master = requireKey(call, 'sign_with_ecdsa', key);
    const path = derivationPath(call.sender, derivation_path);
    if (message_hash.length !== HASH_BYTES) {
      throw replicaErrors.invalidPayload(`message_hash must be ${HASH_BYTES} bytes`);
    }
    payForKey(call, 'sign_with_ecdsa', key_id.name);
    const { secret } = deriveSecp(master, path);
    return { signature: secp256k1.sign(message_hash, secpSecretBytes(secret), { prehash: false }) };
  },
});

interface Scheme {
  readonly algorithm: KeyAlgorithm;
  derive(master: ExtendedSecret, path: readonly Uint8Array[]): ExtendedSecret;
  publicKey(secret: bigint): Uint8Array;
  /** `root` is the Merkle root of `aux`, if there is one; its length is checked before. */
  sign(secret: bigint, message: Uint8Array, root: Uint8Array | undefined, random?: Randomness): Uint8Array;
  /** Why `aux` cannot be used, if it cannot. */
  refuseAux(root: Uint8Array): string | undefined;
}

const ROOT_BYTES = 32;

const BIP340: Scheme = {
  algorithm: 'schnorr:Bip340Secp256k1',
  derive: deriveSecp,
  publicKey: secpPublicKey,
  sign: (secret, message, root, random) =>
    signBip340(root ? taprootSecret(secret, root) : secret, message, random),
  refuseAux: (root) =>
    root.length === 0 || root.length === ROOT_BYTES ? undefined : 'Invalid aux field for Bip340Secp256k1',
};

const ED25519: Scheme = {
  algorithm: 'schnorr:Ed25519',
  derive: deriveEd25519,
  publicKey: ed25519PublicKey,
  sign: (secret, message, _, random) => signEd25519(secret, message, random),
  refuseAux: () => 'Schnorr algorithm Ed25519 does not support aux input',
};

const schemeOf = ({ algorithm }: IcTypes['schnorr_key_id']): Scheme =>
  'ed25519' in algorithm ? ED25519 : BIP340;

export const schnorrPublicKey = managementMethod({
  name: 'schnorr_public_key',
  callers: { kind: 'canisters' },
  run(call, { canister_id: [canister], derivation_path, key_id }) {
    const scheme = schemeOf(key_id);
    const key = { algorithm: scheme.algorithm, name: key_id.name, use: 'show' } as const;
    const master = requireKey(call, 'schnorr_public_key', key);
    const path = derivationPath(canister?.toUint8Array() ?? call.sender, derivation_path);
    const { secret, chainCode } = scheme.derive(master, path);
    return { public_key: scheme.publicKey(secret), chain_code: chainCode };
  },
});

export const signWithSchnorr = managementMethod({
  name: 'sign_with_schnorr',
  callers: { kind: 'canisters' },
  run(call, { message, derivation_path, key_id, aux: [aux] }) {
    const scheme = schemeOf(key_id);
    const key = { algorithm: scheme.algorithm, name: key_id.name, use: 'sign' } as const;
    const master = requireKey(call, 'sign_with_schnorr', key);
    const path = derivationPath(call.sender, derivation_path);
    const root = aux?.bip341.merkle_root_hash;
    const refusal = root && scheme.refuseAux(root);
    if (refusal !== undefined) throw replicaErrors.refused(refusal);
    payForKey(call, 'sign_with_schnorr', key_id.name);
    const { secret } = scheme.derive(master, path);
    return { signature: scheme.sign(secret, message, root, call.env.random) };
  },
});
