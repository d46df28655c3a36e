import { AuthClient } from '@icp-sdk/auth/client';
import { internetIdentityEndpoints, signInMessage } from '@cannery/contract';
import { DelegationIdentity } from '@icp-sdk/core/identity';
import { api } from '../../lib/api/api.ts';
import { describeError } from '../../lib/api/api-error.ts';
import { session } from '../../lib/session/current-session.ts';

/** The key is used for one sign-in and is gone with this page: nothing of it is kept. */
const NOTHING_KEPT = { get: async () => null, set: async () => {}, remove: async () => {} };
/** For the calls after the window has answered, and for clocks that differ; in nanoseconds. */
const LIFETIME = 10n * 60n * 1_000_000_000n;
const CLOSED = 'Channel was closed';
const BLOCKED = 'could not be opened';

/**
 * Signs in by the page of Internet Identity, in a window that this opens; to be called while a click is handled. The service gets what
 * the key that the page has delegated to signs, and makes the session.
 * @param address of that page
 * @returns why it has failed; undefined once the visitor is signed in
 */
export async function signInByIdentity(address: string): Promise<string | undefined> {
  const client = new AuthClient({
    identityProvider: address,
    storage: NOTHING_KEPT,
    idleOptions: { disableIdle: true },
  });
  let identity: unknown;
  try {
    identity = await client.signIn({ maxTimeToLive: LIFETIME });
  } catch (error) {
    return reasonOf(error);
  } finally {
    await client.signOut();
  }
  if (!(identity instanceof DelegationIdentity)) return 'Internet Identity has answered with no key.';
  try {
    const { challenge } = await api.call(internetIdentityEndpoints.challenge, {});
    const signature = await identity.sign(signInMessage(location.origin, challenge));
    const { publicKey, delegations } = identity.getDelegation();
    const body = {
      challenge,
      public_key: base64(publicKey),
      delegations: delegations.map(({ delegation, signature: signed }) => ({
        public_key: base64(delegation.pubkey),
        expiration: String(delegation.expiration),
        signature: base64(signed),
      })),
      signature: base64(signature),
    };
    const { token } = await api.call(internetIdentityEndpoints.signIn, { body });
    await session.begin(token);
    return undefined;
  } catch (error) {
    const { reason, nextStep } = describeError(error);
    return `${reason} ${nextStep}`;
  }
}

function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (said.startsWith(CLOSED)) return 'The sign-in was cancelled.';
  if (said.includes(BLOCKED))
    return 'The browser has not let the window open. Allow windows of this page, and try again.';
  return `Internet Identity has not signed you in: ${said}`;
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
