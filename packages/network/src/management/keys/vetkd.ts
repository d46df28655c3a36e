import { replicaErrors } from '../../errors.ts';
import { managementMethod } from '../method/method.ts';
import { payForKey, requireKey } from './threshold-keys.ts';
import { deriveVetKeys, encryptedVetKey, TransportKeyError } from './vetkd-keys.ts';

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
      return { encrypted_key: encryptedVetKey(keys, input, transport_public_key) };
    } catch (error) {
      if (error instanceof TransportKeyError) {
        throw replicaErrors.refused(`The transport public key is invalid: ${error.message}`);
      }
      throw error;
    }
  },
});
