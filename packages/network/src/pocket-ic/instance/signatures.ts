import {
  CANISTER_SIGNATURE_OID,
  judgeFor,
  parseCanisterKey,
  verifyCanisterSignature,
} from '../../http/identity/canister-signature.ts';
import { MAX_KEY_BYTES, MAX_SIGNATURE_BYTES, SignatureError } from '../../http/identity/key-limits.ts';
import { parseSpki } from '../../http/identity/spki.ts';
import type { ClientAddress } from '../../http/transport/client-address.ts';
import { bytesField, type Fields } from '../wire/fields.ts';
import type { Instances } from './instances.ts';

/**
 * Why a signature by a canister is none, or nothing where it is one (`POST /verify_signature`). The root key has to be that of an
 * instance that runs, since only that one checks certificates of it. Throws `RequestError` 400 for fields that are wrong, and
 * 503 when too many signatures wait to be checked.
 */
export async function checkCanisterSignature(
  instances: Instances,
  fields: Fields,
  address: ClientAddress,
): Promise<string | undefined> {
  const [message, signature, publicKey, rootKey] = ['msg', 'sig', 'pubkey', 'root_pubkey'].map((name) =>
    bytesField(fields, name),
  );
  const empty = new Uint8Array();
  const instance = instances.withRootKey(rootKey ?? empty);
  if (!instance) return 'No instance of this program has this root key.';
  if ((publicKey?.length ?? 0) > MAX_KEY_BYTES) return 'The public key is too long.';
  if ((signature?.length ?? 0) > MAX_SIGNATURE_BYTES) return 'The signature is too long.';
  const { certifier } = await instance.service();
  try {
    const { algorithm, key } = parseSpki(publicKey ?? empty);
    if (algorithm !== CANISTER_SIGNATURE_OID) return 'The public key is not that of a canister.';
    const judge = judgeFor(certifier, address);
    await verifyCanisterSignature(parseCanisterKey(key), message ?? empty, signature ?? empty, judge);
    return undefined;
  } catch (error) {
    if (error instanceof SignatureError) return error.message;
    throw error;
  }
}
