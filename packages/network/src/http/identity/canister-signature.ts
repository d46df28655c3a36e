import { equalBytes, utf8 } from '@cannery/ic/certification/bytes';
import { CBOR_LIMITS, CborError, decodeCbor, treeFromCbor } from '@cannery/ic/certification/tree/cbor';
import type { Certifier } from '@cannery/ic/certification/certifier';
import { CheckerBusyError } from '@cannery/ic/certification/signatures/checker';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import { hashOf, type HashTree, isWellFormed, lookupValue } from '@cannery/ic/certification/tree/hash-tree';
import type { ClientAddress } from '../transport/client-address.ts';
import { MAX_PRINCIPAL_LENGTH } from './envelope-fields.ts';
import { MAX_SEED_BYTES, SignatureError } from './key-limits.ts';
import { busy } from '../transport/request-error.ts';

/** Who certified what: the part of the certifier that canister signatures need. */
export interface CertificateJudge {
  /** See `Certifier.wasIssued`; throws `RequestError` 503 when too many wait for an answer. */
  wasIssued(signature: Uint8Array, rootHash: Uint8Array): Promise<boolean>;
}

/** The judge for requests that come from `address`. */
export function judgeFor(certifier: Certifier, address: ClientAddress): CertificateJudge {
  return {
    async wasIssued(signature, rootHash) {
      try {
        return await certifier.wasIssued(signature, rootHash, address);
      } catch (error) {
        throw error instanceof CheckerBusyError ? busy(`${error.message} Try again in a moment.`) : error;
      }
    },
  };
}

/** DER body of the object identifier 1.3.6.1.4.1.56387.1.2, which names keys for canister signatures. */
export const CANISTER_SIGNATURE_OID = '2b0601040183b8430102';

/** A public key for canister signatures (interface specification, "Canister signatures"). */
export interface CanisterSignatureKey {
  readonly signingCanister: Uint8Array;
  readonly seed: Uint8Array;
}

/** What reading a signature may cost: a tree node of a certificate takes three values, and two of them 32 bytes. */
const SIGNATURE_LIMITS = { ...CBOR_LIMITS, values: 4_000 };

interface CanisterSignature {
  /** The state tree of the certificate, the signature over it and whether it comes from elsewhere. */
  readonly state: HashTree;
  readonly rootSignature: Uint8Array;
  readonly isDelegated: boolean;
  /** The canister's own tree, whose root hash is its certified data. */
  readonly tree: HashTree;
}

/** Takes the bit string of a canister's public key apart. Throws `SignatureError`. */
export function parseCanisterKey(key: Uint8Array): CanisterSignatureKey {
  const length = key[0] ?? MAX_PRINCIPAL_LENGTH + 1;
  if (length > MAX_PRINCIPAL_LENGTH || key.length < 1 + length) {
    throw new SignatureError('Invalid public key: it does not name a canister');
  }
  if (key.length > 1 + length + MAX_SEED_BYTES) {
    throw new SignatureError(`Invalid public key: its seed is longer than ${MAX_SEED_BYTES} bytes`);
  }
  // Copies: a key that is kept must not keep the request it came in.
  return {
    signingCanister: new Uint8Array(key.subarray(1, 1 + length)),
    seed: new Uint8Array(key.subarray(1 + length)),
  };
}

/**
 * Throws `SignatureError` unless the canister of `key` signed `message`: the certificate is one of this network, the
 * canister's certified data is the root of the tree, and the tree has an empty leaf at `/sig/<seed>/<message>`.
 */
export async function verifyCanisterSignature(
  key: CanisterSignatureKey,
  message: Uint8Array,
  signature: Uint8Array,
  judge: CertificateJudge,
): Promise<void> {
  const { state, rootSignature, isDelegated, tree } = parse(signature);
  if (isDelegated) {
    throw refused('its certificate comes from another subnet, and this network is a single subnet');
  }
  if (!isWellFormed(tree)) throw refused('its tree is not well formed');
  const certified = lookupValue(state, [utf8('canister'), key.signingCanister, utf8('certified_data')]);
  if (!certified || !equalBytes(certified, hashOf(tree))) {
    throw refused('its tree is not the certified data of the canister');
  }
  const signed = lookupValue(tree, [utf8('sig'), sha256(key.seed), sha256(message)]);
  if (signed?.length !== 0) throw refused('the canister did not sign this message with this seed');
  if (!(await judge.wasIssued(rootSignature, hashOf(state)))) {
    throw refused('its certificate was not issued by this network');
  }
}

function parse(bytes: Uint8Array): CanisterSignature {
  try {
    const outer = Object(decodeCbor(bytes, SIGNATURE_LIMITS)) as Record<string, unknown>;
    const encoded = outer['certificate'];
    if (!(encoded instanceof Uint8Array)) throw refused('it has no certificate');
    const certificate = Object(decodeCbor(encoded, SIGNATURE_LIMITS)) as Record<string, unknown>;
    const rootSignature = certificate['signature'];
    if (!(rootSignature instanceof Uint8Array)) throw refused('its certificate has no signature');
    return {
      state: treeFromCbor(certificate['tree']),
      rootSignature,
      isDelegated: certificate['delegation'] !== undefined,
      tree: treeFromCbor(outer['tree']),
    };
  } catch (error) {
    if (error instanceof CborError) throw refused(error.message);
    // Trees are walked as deep as they are nested.
    if (error instanceof RangeError) throw refused('it is nested too deeply');
    throw error;
  }
}

function refused(reason: string): SignatureError {
  return new SignatureError(`Invalid canister signature: ${reason}`);
}
