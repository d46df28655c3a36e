import { IDL } from '@icp-sdk/core/candid';
import type { Principal } from '@icp-sdk/core/principal';
import type { Maybe } from './candid-types.ts';

/** Argument and result types of the methods for signatures and key derivation, as in `ic.did` 0.66. */

const { Null, Text, Opt, Principal: Id } = IDL;
const Blob = IDL.Vec(IDL.Nat8);
const Path = IDL.Vec(Blob);

const EcdsaKey = IDL.Record({ curve: IDL.Variant({ secp256k1: Null }), name: Text });
const SchnorrKey = IDL.Record({
  algorithm: IDL.Variant({ bip340secp256k1: Null, ed25519: Null }),
  name: Text,
});
const VetKey = IDL.Record({ curve: IDL.Variant({ bls12_381_g2: Null }), name: Text });

interface EcdsaKeyId {
  curve: { secp256k1: null };
  name: string;
}
export interface SchnorrKeyId {
  algorithm: { bip340secp256k1: null } | { ed25519: null };
  name: string;
}
interface VetKeyId {
  curve: { bls12_381_g2: null };
  name: string;
}

const ExtendedPublicKey = IDL.Record({ public_key: Blob, chain_code: Blob });
const Signature = IDL.Record({ signature: Blob });
export { ExtendedPublicKey as PublicKeyResult, Signature as SignResult };

export const EcdsaPublicKeyArg = IDL.Record({
  canister_id: Opt(Id),
  derivation_path: Path,
  key_id: EcdsaKey,
});
export interface EcdsaPublicKey {
  canister_id: Maybe<Principal>;
  derivation_path: Uint8Array[];
  key_id: EcdsaKeyId;
}

export const SignWithEcdsaArg = IDL.Record({ message_hash: Blob, derivation_path: Path, key_id: EcdsaKey });
export interface SignWithEcdsa {
  message_hash: Uint8Array;
  derivation_path: Uint8Array[];
  key_id: EcdsaKeyId;
}

export const SchnorrPublicKeyArg = IDL.Record({
  canister_id: Opt(Id),
  derivation_path: Path,
  key_id: SchnorrKey,
});
export interface SchnorrPublicKey {
  canister_id: Maybe<Principal>;
  derivation_path: Uint8Array[];
  key_id: SchnorrKeyId;
}

export const SignWithSchnorrArg = IDL.Record({
  message: Blob,
  derivation_path: Path,
  key_id: SchnorrKey,
  aux: Opt(IDL.Variant({ bip341: IDL.Record({ merkle_root_hash: Blob }) })),
});
export interface SignWithSchnorr {
  message: Uint8Array;
  derivation_path: Uint8Array[];
  key_id: SchnorrKeyId;
  aux: Maybe<{ bip341: { merkle_root_hash: Uint8Array } }>;
}

export const VetkdPublicKeyArg = IDL.Record({ canister_id: Opt(Id), context: Blob, key_id: VetKey });
export interface VetkdPublicKey {
  canister_id: Maybe<Principal>;
  context: Uint8Array;
  key_id: VetKeyId;
}
export const VetkdPublicKeyResult = IDL.Record({ public_key: Blob });

export const VetkdDeriveKeyArg = IDL.Record({
  input: Blob,
  context: Blob,
  transport_public_key: Blob,
  key_id: VetKey,
});
export interface VetkdDeriveKey {
  input: Uint8Array;
  context: Uint8Array;
  transport_public_key: Uint8Array;
  key_id: VetKeyId;
}
export const VetkdDeriveKeyResult = IDL.Record({ encrypted_key: Blob });
