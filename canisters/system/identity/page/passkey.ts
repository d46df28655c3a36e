import {
  Cbor,
  DER_COSE_OID,
  IC_REQUEST_AUTH_DELEGATION_DOMAIN_SEPARATOR,
  type DerEncodedPublicKey,
  requestIdOf,
  type Signature,
  wrapDER,
} from '@icp-sdk/core/agent';
import { Delegation, DelegationChain, DelegationIdentity, ECDSAKeyIdentity } from '@icp-sdk/core/identity';
import type { IdentityService } from '../interface.ts';
import { connect, type Connection, IDENTITY_CANISTER } from './grant.ts';

/** A passkey that this browser or its authenticator has. */
export interface Passkey {
  readonly credentialId: Uint8Array<ArrayBuffer>;
  /** In DER, around COSE. */
  readonly publicKey: Uint8Array;
}

/** The user has not given a passkey, or one that nobody knows; the message says which. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

const ES256 = -7;
/** What security chips of Windows have where they have nothing else. */
const RS256 = -257;
/** The key of this page signs for the passkey for so long: the two calls of one sign-in. */
const SESSION_NANOS = 600_000_000_000n;
/** Where the key begins in the data of an authenticator (Web Authentication, section 6.1), but for the id before it. */
const CREDENTIAL_LENGTH_AT = 53;
const CREDENTIAL_AT = 55;
const FLAGS_AT = 32;
const HAS_EXTENSIONS = 0x80;
/** A key for ES256 has always this length in COSE. */
const COSE_P256_BYTES = 77;

function random(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function keyOf(data: Uint8Array): Uint8Array {
  const length = new DataView(data.buffer, data.byteOffset).getUint16(CREDENTIAL_LENGTH_AT);
  const rest = data.slice(CREDENTIAL_AT + length);
  // Extensions come after the key.
  return ((data[FLAGS_AT] ?? 0) & HAS_EXTENSIONS) === 0 ? rest : rest.slice(0, COSE_P256_BYTES);
}

/** What browsers throw when the user goes away, and for what this computer cannot do. */
function explained(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  return new PasskeyError(
    error.name === 'NotAllowedError'
      ? 'No passkey was given. Try again, or create one.'
      : `The passkey could not be used: ${error.message}`,
  );
}

/** Creates a passkey; the browser and the operating system show `label`. Throws `PasskeyError`. */
export async function createPasskey(label: string): Promise<Passkey> {
  try {
    const created = await navigator.credentials.create({
      publicKey: {
        rp: { name: 'Sign-in of a local network', id: location.hostname },
        user: { id: random(16), name: label, displayName: label },
        challenge: random(32),
        pubKeyCredParams: [ES256, RS256].map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      },
    });
    if (!(created instanceof PublicKeyCredential)) throw new PasskeyError('No passkey was created.');
    const response = created.response as AuthenticatorAttestationResponse;
    const cose = keyOf(new Uint8Array(response.getAuthenticatorData()));
    return { credentialId: new Uint8Array(created.rawId), publicKey: wrapDER(cose, DER_COSE_OID) };
  } catch (error) {
    throw explained(error);
  }
}

/**
 * Has a passkey sign for a key of this page, and resolves with the canister called by that. Any passkey of this host where none is
 * named: the canister knows its key. Throws `PasskeyError`.
 */
export async function usePasskey(
  named: Passkey | undefined,
  anonymous: Connection,
): Promise<{ readonly passkey: Passkey; readonly service: IdentityService }> {
  const session = await ECDSAKeyIdentity.generate();
  const expiration = BigInt(Date.now() + anonymous.aheadMs) * 1_000_000n + SESSION_NANOS;
  const delegation = new Delegation(session.getPublicKey().toDer(), expiration, [IDENTITY_CANISTER]);
  const challenge = new Uint8Array([
    ...IC_REQUEST_AUTH_DELEGATION_DOMAIN_SEPARATOR,
    ...requestIdOf({ ...delegation }),
  ]);
  const { credentialId, signature } = await assertion(challenge, named);
  const publicKey = named?.publicKey ?? (await anonymous.service.passkey_key(credentialId))[0];
  if (!publicKey) throw new PasskeyError('This network does not know that passkey. Create one.');
  const chain = DelegationChain.fromDelegations(
    [{ delegation, signature }],
    publicKey as DerEncodedPublicKey,
  );
  const { service } = await connect(DelegationIdentity.fromDelegation(session, chain));
  return { passkey: { credentialId, publicKey }, service };
}

async function assertion(
  challenge: Uint8Array<ArrayBuffer>,
  named: Passkey | undefined,
): Promise<{ readonly credentialId: Uint8Array<ArrayBuffer>; readonly signature: Signature }> {
  try {
    const given = await navigator.credentials.get({
      publicKey: {
        challenge,
        rpId: location.hostname,
        userVerification: 'preferred',
        ...(named && { allowCredentials: [{ type: 'public-key', id: named.credentialId }] }),
      },
    });
    if (!(given instanceof PublicKeyCredential)) throw new PasskeyError('No passkey was given.');
    const response = given.response as AuthenticatorAssertionResponse;
    const signature = Cbor.encode({
      authenticator_data: new Uint8Array(response.authenticatorData),
      client_data_json: new TextDecoder().decode(response.clientDataJSON),
      signature: new Uint8Array(response.signature),
    });
    return { credentialId: new Uint8Array(given.rawId), signature: signature as Signature };
  } catch (error) {
    throw explained(error);
  }
}
