import { secp256k1 } from '@noble/curves/secp256k1.js';
import { replicaErrors } from '../../errors.ts';
import { deriveSecp, secpPublicKey, secpSecretBytes } from './bip32.ts';
import { managementMethod } from '../method/method.ts';
import { derivationPath, payForKey, requireKey } from './threshold-keys.ts';

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
