import { Principal } from '@icp-sdk/core/principal';
import { equalBytes, hex } from '@cannery/ic/certification/bytes';
import { domainSeparator, selfAuthenticatingId } from '@cannery/ic/certification/signatures/hash';
import { remembered } from '@cannery/ic/certification/signatures/representation-hash';
import type { CallerInfo } from '@cannery/replica/messages';
import { type CertificateJudge, verifyCanisterSignature } from './canister-signature.ts';
import { type DelegatedKey, followDelegations } from './delegation.ts';
import type { Envelope, SenderInfo } from './envelope.ts';
import { importKey, verifySignature } from './public-key.ts';
import { badRequest } from '../transport/request-error.ts';
import { SignatureError } from './key-limits.ts';

const REQUEST_DOMAIN = domainSeparator('ic-request');
const SENDER_INFO_DOMAIN = domainSeparator('ic-sender-info');
const ANONYMOUS = 4;

/** A browser session signs everything with one key. */
const idOfKey = remembered(hex, selfAuthenticatingId);

/** What an authenticated sender may do with this request. */
export interface Authorization {
  /** Hex ids of the canisters the request may touch; absent means all. */
  readonly targets: ReadonlySet<string> | undefined;
  /** What a canister certified about the sender. */
  readonly callerInfo?: CallerInfo;
}

const EVERYTHING: Authorization = { targets: undefined };

/** Whether `sender` is the anonymous principal. */
export function isAnonymous(sender: Uint8Array): boolean {
  return sender.length === 1 && sender[0] === ANONYMOUS;
}

/**
 * Checks that the request comes from its sender: anonymous requests carry no signature, all others one by the
 * sender's key or by a key at the end of a delegation chain. Rejects with `RequestError` 400 and the reason, in the words
 * of the replica (dfinity/ic, `rs/validator/src/ingress_validation.rs`).
 */
export async function authenticate(
  envelope: Envelope,
  nowNanos: bigint,
  judge: CertificateJudge,
): Promise<Authorization> {
  const { content, publicKey, signature, delegations } = envelope;
  if (isAnonymous(content.sender)) {
    if (publicKey || signature || delegations.length > 0) {
      throw badRequest('Signature is not allowed for the anonymous user.');
    }
    if (envelope.senderInfo) throw badRequest('Invalid sender info: the anonymous user has none');
    return EVERYTHING;
  }
  if (!publicKey || !signature) {
    throw badRequest(`Missing signature from user: ${principalText(content.sender)}`);
  }
  if (!equalBytes(idOfKey(publicKey), content.sender)) {
    throw badRequest(
      `The user id '${principalText(content.sender)}' does not match the public key '${hex(publicKey)}'`,
    );
  }
  const key =
    delegations.length === 0
      ? { publicKey, targets: undefined, queriesOnly: false }
      : await followDelegations(publicKey, delegations, nowNanos, judge);
  await checked('Invalid signature', () =>
    verifySignature(key.publicKey, Buffer.concat([REQUEST_DOMAIN, envelope.requestId]), signature, judge),
  );
  checkPermissions(envelope, key);
  if (!envelope.senderInfo) return key.targets ? { targets: key.targets } : EVERYTHING;
  return { targets: key.targets, callerInfo: await verifySenderInfo(envelope.senderInfo, publicKey, judge) };
}

/** Throws `RequestError` 400 when a delegation does not cover `canisterId`. */
export function checkTarget({ targets }: Authorization, canisterId: Uint8Array): void {
  if (targets && !targets.has(hex(canisterId))) {
    throw badRequest(`Canister '${principalText(canisterId)}' is not one of the delegation targets.`);
  }
}

/** A principal in its text form. */
export function principalText(id: Uint8Array): string {
  return Principal.fromUint8Array(id).toText();
}

function checkPermissions({ content }: Envelope, key: DelegatedKey): void {
  if (key.queriesOnly && content.type === 'call') {
    throw badRequest('Invalid delegation: it permits queries only, not update calls');
  }
}

/** Only the canister whose signature is the sender's key may say something about the sender. */
async function verifySenderInfo(
  { info, signer, signature }: SenderInfo,
  publicKey: Uint8Array,
  judge: CertificateJudge,
): Promise<CallerInfo> {
  return checked('Invalid sender info', async () => {
    const key = importKey(publicKey);
    if (key.kind !== 'canister') {
      throw new SignatureError('sender_pubkey is not a valid canister signature public key');
    }
    if (!equalBytes(key.signingCanister, signer)) {
      throw new SignatureError(
        `signer ${principalText(signer)} does not match canister ID ${principalText(key.signingCanister)} in sender_pubkey`,
      );
    }
    await verifyCanisterSignature(key, Buffer.concat([SENDER_INFO_DOMAIN, info]), signature, judge);
    return { data: info, signer };
  });
}

async function checked<T>(prefix: string, check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof SignatureError) throw badRequest(`${prefix}: ${error.message}`);
    throw error;
  }
}
