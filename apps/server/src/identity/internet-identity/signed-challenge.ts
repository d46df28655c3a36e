import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { hashOfMap, IC_REQUEST_AUTH_DELEGATION_DOMAIN_SEPARATOR } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import { INTERNET_IDENTITY_CANISTER } from '../../config/internet-identity.ts';
import { AppError } from '../../errors.ts';
import { seedOf, SignatureError, verifyCanisterSignature } from './canister-signature.ts';

/** A chain of delegations, and what its last key has signed. Keys are in DER. */
export interface SignedChallenge {
  readonly publicKey: Uint8Array;
  readonly delegations: readonly {
    readonly publicKey: Uint8Array;
    /** Unix time in nanoseconds. */
    readonly expiration: bigint;
    readonly signature: Uint8Array;
  }[];
  readonly signature: Uint8Array;
}

/** Ed25519, P-256 and secp256k1 in DER: 44, 91 and 88 bytes. */
const MOST_KEY_BYTES = 128;
/** Of each of these. */
const SIGNATURE_BYTES = 64;
const CURVES = ['prime256v1', 'secp256k1'];

/**
 * The principal that has signed a message by a key to which Internet Identity has delegated. Only its canister can have signed the
 * first delegation: keys that somebody makes, and other canisters, have principals too, and sign nobody in.
 * @param asked.message what the last key must have signed
 * @param asked.rootKey in DER, of the network that vouches for Internet Identity
 * @param asked.now in milliseconds
 * @throws AppError sign_in_failed
 */
export async function principalOf(
  { publicKey, delegations, signature }: SignedChallenge,
  asked: { message: Uint8Array; rootKey: Uint8Array; now: number },
): Promise<string> {
  try {
    const seed = seedOf(publicKey, INTERNET_IDENTITY_CANISTER);
    const [first, ...others] = delegations;
    if (first === undefined) throw new SignatureError('there is no delegation');
    const now = BigInt(asked.now) * 1_000_000n;
    if (delegations.some(({ expiration }) => expiration <= now)) throw expired();
    // From the last to the first: what is checked here costs little, and the signature of the canister more.
    let signer = plainKey(first.publicKey);
    for (const next of others) {
      checkPlain(signer, signedBytes(next), next.signature);
      signer = plainKey(next.publicKey);
    }
    checkPlain(signer, asked.message, signature);
    await verifyCanisterSignature({
      canisterId: INTERNET_IDENTITY_CANISTER,
      seed,
      message: signedBytes(first),
      signature: first.signature,
      rootKey: asked.rootKey,
    });
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    throw new AppError('sign_in_failed', 'The sign-in could not be confirmed. Please try again.', {
      cause: error,
    });
  }
  return Principal.selfAuthenticating(publicKey).toText();
}

function expired(): AppError {
  return new AppError(
    'sign_in_failed',
    'What Internet Identity has signed is no longer valid. Please try again.',
  );
}

/** What the signature of a delegation without targets is made of. */
function signedBytes({ publicKey, expiration }: { publicKey: Uint8Array; expiration: bigint }): Uint8Array {
  return Buffer.concat([
    IC_REQUEST_AUTH_DELEGATION_DOMAIN_SEPARATOR,
    hashOfMap({ pubkey: publicKey, expiration }),
  ]);
}

function plainKey(der: Uint8Array): KeyObject {
  const key = der.length > MOST_KEY_BYTES ? undefined : readKey(der);
  const { namedCurve = '' } = key?.asymmetricKeyDetails ?? {};
  if (key !== undefined && (key.asymmetricKeyType === 'ed25519' || CURVES.includes(namedCurve))) return key;
  throw new SignatureError('a key is none of Ed25519, P-256 or secp256k1');
}

function readKey(der: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function checkPlain(key: KeyObject, message: Uint8Array, signature: Uint8Array): void {
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const isGood =
    signature.length === SIGNATURE_BYTES &&
    verify(algorithm, message, { key, dsaEncoding: 'ieee-p1363' }, signature);
  if (!isGood) throw new SignatureError('a signature does not fit its key');
}
