import { createHash } from 'node:crypto';
import { equalBytes } from '@cannery/ic/certification/bytes';
import { CborError, decodeCbor, treeFromCbor } from '@cannery/ic/certification/tree/cbor';
import { hashOf, isWellFormed, lookupValue } from '@cannery/ic/certification/tree/hash-tree';
import { Certificate, unwrapDER, wrapDER } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { verifyCertificate } from '../../ic/agent/signature-thread.ts';

/** A key or a signature that does not hold; the message is for the log. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** The sequence of the object identifier 1.3.6.1.4.1.56387.1.2 (interface specification, "Canister signatures"). */
const CANISTER_KEY = Uint8Array.from([
  0x30, 0x0c, 0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x83, 0xb8, 0x43, 0x01, 0x02,
]);
/** What one signature may cost to read: it has two certificates and a tree, with three values for a node. */
const LIMITS = { values: 4_000, depth: 128, bytes: 16 * 1024 };

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/**
 * The seed in a key of a canister.
 * @param key in DER @throws SignatureError where it is another kind of key, or of another canister
 */
export function seedOf(key: Uint8Array, canisterId: string): Uint8Array {
  const canister = Principal.fromText(canisterId).toUint8Array();
  const bits = bitsOf(key);
  // One key has one encoding, or it would have several principals.
  if (!equalBytes(wrapDER(bits, CANISTER_KEY), key)) throw new SignatureError('the key is not in DER');
  const isIts = bits[0] === canister.length && equalBytes(bits.subarray(1, 1 + canister.length), canister);
  if (!isIts) throw new SignatureError('the key is one of another canister');
  return bits.subarray(1 + canister.length);
}

function bitsOf(key: Uint8Array): Uint8Array {
  try {
    return unwrapDER(key, CANISTER_KEY);
  } catch (cause) {
    throw new SignatureError('the key is none of a canister', { cause });
  }
}

/**
 * Checks that a canister has signed a message (interface specification, "Canister signatures"). What costs most, the signature of the
 * certificate, comes last, and is checked in another thread.
 * @param signed.seed of the canister's key
 * @param signed.rootKey in DER, of the network that vouches for the canister
 * @throws SignatureError where it has not
 */
export async function verifyCanisterSignature(signed: {
  canisterId: string;
  seed: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
  rootKey: Uint8Array;
}): Promise<void> {
  const canister = Principal.fromText(signed.canisterId);
  const { certificate, state, tree } = read(signed.signature);
  const certified = lookupValue(state, [utf8('canister'), canister.toUint8Array(), utf8('certified_data')]);
  if (!isWellFormed(state) || !isWellFormed(tree)) throw new SignatureError('a tree is not well formed');
  if (certified === undefined || !equalBytes(certified, hashOf(tree)))
    throw new SignatureError('the tree is not the certified data of the canister');
  const leaf = lookupValue(tree, [utf8('sig'), sha256(signed.seed), sha256(signed.message)]);
  if (leaf?.length !== 0) throw new SignatureError('the canister has not signed this');
  try {
    await Certificate.create({
      certificate,
      rootKey: signed.rootKey,
      principal: { canisterId: canister },
      blsVerify: verifyCertificate,
      // What is signed says how long it holds.
      disableTimeVerification: true,
    });
  } catch (cause) {
    throw new SignatureError('the certificate is not one of this network', { cause });
  }
}

/** Takes a signature apart, with its certificate and that of the subnet, each within bounds. */
function read(signature: Uint8Array) {
  try {
    const outer = mapIn(signature);
    const certificate = bytesIn(outer['certificate']);
    const { tree: state, delegation } = mapIn(certificate);
    const { certificate: ofSubnet } = Object(delegation) as Record<string, unknown>;
    if (delegation !== undefined) mapIn(bytesIn(ofSubnet));
    return { certificate, state: treeFromCbor(state), tree: treeFromCbor(outer['tree']) };
  } catch (cause) {
    if (!(cause instanceof CborError)) throw cause;
    throw new SignatureError(`the signature cannot be read: ${cause.message}`);
  }
}

function mapIn(bytes: Uint8Array): Record<string, unknown> {
  return Object(decodeCbor(bytes, LIMITS)) as Record<string, unknown>;
}

function bytesIn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new CborError('a certificate must be bytes');
}
