import { Principal } from '@icp-sdk/core/principal';
import { equalBytes, hex } from '../certification/bytes.ts';
import { domainSeparator, selfAuthenticatingId } from '../certification/hash.ts';
import { type DelegatedKey, followDelegations } from './delegation.ts';
import type { Envelope } from './envelope.ts';
import { SignatureError, verifySignature } from './public-key.ts';
import { badRequest } from './request-error.ts';

const REQUEST_DOMAIN = domainSeparator('ic-request');
const ANONYMOUS = 4;

/** What an authenticated sender may do with this request. */
export interface Authorization {
  /** Hex ids of the canisters the request may touch; absent means all. */
  readonly targets: ReadonlySet<string> | undefined;
}

export function isAnonymous(sender: Uint8Array): boolean {
  return sender.length === 1 && sender[0] === ANONYMOUS;
}

/**
 * Checks that the request comes from its sender: anonymous requests carry no signature, all others one by the
 * sender's key or by a key at the end of a delegation chain. Throws `RequestError` 400 with the reason.
 */
export function authenticate(envelope: Envelope, nowNanos: bigint): Authorization {
  const { content, publicKey, signature, delegations } = envelope;
  if (isAnonymous(content.sender)) {
    if (publicKey || signature || delegations.length > 0) {
      throw badRequest('Signature is not allowed for the anonymous user');
    }
    return { targets: undefined };
  }
  if (!publicKey || !signature) {
    throw badRequest(`Missing signature from user: ${principalText(content.sender)}`);
  }
  if (!equalBytes(selfAuthenticatingId(publicKey), content.sender)) {
    throw badRequest(
      `The user id ${principalText(content.sender)} does not match the public key ${hex(publicKey)}`,
    );
  }
  const key = checked('Invalid delegation', () => followDelegations(publicKey, delegations, nowNanos));
  checked('Invalid signature', () =>
    verifySignature(key.publicKey, Buffer.concat([REQUEST_DOMAIN, envelope.requestId]), signature),
  );
  checkPermissions(envelope, key);
  return { targets: key.targets };
}

/** Throws `RequestError` 400 when a delegation does not cover `canisterId`. */
export function checkTarget({ targets }: Authorization, canisterId: Uint8Array): void {
  if (targets && !targets.has(hex(canisterId))) {
    throw badRequest(`Canister ${principalText(canisterId)} is not one of the delegation targets`);
  }
}

export function principalText(id: Uint8Array): string {
  return Principal.fromUint8Array(id).toText();
}

function checkPermissions({ content }: Envelope, key: DelegatedKey): void {
  if (key.queriesOnly && content.type === 'call') {
    throw badRequest('Invalid delegation: it permits queries only, not update calls');
  }
}

function checked<T>(prefix: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof SignatureError) throw badRequest(`${prefix}: ${error.message}`);
    throw error;
  }
}
