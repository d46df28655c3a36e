import { Actor, AnonymousIdentity, HttpAgent, type Identity } from '@icp-sdk/core/agent';
import { Principal } from '@icp-sdk/core/principal';
import {
  type Account,
  identityInterface,
  type IdentityService,
  type PrepareDelegation,
  type Result,
} from '../interface.ts';
import type { SignInRequest } from './requests.ts';

export interface GrantedDelegation {
  /** The key (DER) that stands for the account at this site: its principal is the user's there. */
  readonly publicKey: Uint8Array;
  readonly sessionKey: Uint8Array;
  /** Unix time in nanoseconds. */
  readonly expiration: bigint;
  readonly targets: readonly Principal[] | undefined;
  readonly signature: Uint8Array;
}

/** The canister has refused; the message is its own. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export const IDENTITY_CANISTER: Principal = Principal.fromText('rdmx6-jaaaa-aaaaa-aaadq-cai');

export interface Connection {
  readonly service: IdentityService;
  /** How far the clock of the network is ahead of this computer's, in milliseconds. */
  readonly aheadMs: number;
}

/** The canister behind this page, called as `identity`: its network answers on the same host. */
export async function connect(identity: Identity = new AnonymousIdentity()): Promise<Connection> {
  const agent = await HttpAgent.create({
    host: location.origin,
    identity,
    shouldFetchRootKey: true,
  });
  // The time of a network made for tests need not be that of this computer.
  await agent.syncTime({ canisterId: IDENTITY_CANISTER });
  const service = Actor.createActor<IdentityService>(identityInterface, {
    agent,
    canisterId: IDENTITY_CANISTER,
  });
  return { service, aheadMs: agent.getTimeDiffMsecs() };
}

function accepted<T>(result: Result<T>): T {
  if ('err' in result) throw new RefusedError(result.err);
  return result.ok;
}

/** Has the canister sign a delegation for a site. Throws `RefusedError`. */
export async function grant(
  service: IdentityService,
  account: Account,
  origin: string,
  { sessionKey, maxTimeToLive, targets }: SignInRequest,
): Promise<GrantedDelegation> {
  const asked = {
    origin,
    session_key: sessionKey,
    targets: targets === undefined ? [] : [[...targets]],
  } satisfies Partial<PrepareDelegation>;
  const wanted: PrepareDelegation = {
    ...asked,
    max_time_to_live: maxTimeToLive === undefined ? [] : [maxTimeToLive],
  };
  const prepared = accepted(
    await ('name' in account
      ? service.prepare_delegation_by_name(account.name, wanted)
      : service.prepare_delegation(wanted)),
  );
  const { expiration } = prepared;
  const signature = accepted(await service.get_delegation({ ...asked, account, expiration }));
  return { publicKey: prepared.public_key, sessionKey, expiration, targets, signature };
}
