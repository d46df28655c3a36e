import { internetIdentityEndpoints, signInMessage, type BodyInputOf } from '@cannery/contract';
import { Actor, HttpAgent, type Signature } from '@icp-sdk/core/agent';
import { Delegation, DelegationChain, ECDSAKeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { identityInterface, type IdentityService } from '../../../../canisters/system/identity/interface.ts';
import { type Answer, answerOf, type Browser } from '../support/client.ts';

export const INTERNET_IDENTITY = Principal.fromText('rdmx6-jaaaa-aaaaa-aaadq-cai');
export const MINUTE = 60_000_000_000n;

export type Proof = BodyInputOf<typeof internetIdentityEndpoints.signIn>;

/** What Internet Identity has given a page: a key, and the chain that leads to it. */
export interface Delegated {
  readonly session: ECDSAKeyIdentity;
  readonly chain: DelegationChain;
}

/** Signs a name in at an origin, as the page of Internet Identity does. */
export async function delegated(
  networkUrl: string,
  asked: {
    origin: string;
    name?: string;
    lifetime?: bigint;
    targets?: Principal[];
    canister?: Principal;
  },
): Promise<Delegated> {
  const { origin, name = 'alice', lifetime = MINUTE, targets, canister = INTERNET_IDENTITY } = asked;
  const agent = await HttpAgent.create({ host: networkUrl, shouldFetchRootKey: true });
  const service = Actor.createActor<IdentityService>(identityInterface, { agent, canisterId: canister });
  const session = await ECDSAKeyIdentity.generate();
  const session_key = new Uint8Array(session.getPublicKey().toDer());
  const wanted = { origin, session_key, targets: (targets ? [targets] : []) as [] | [Principal[]] };
  const prepared = await service.prepare_delegation_by_name(name, {
    ...wanted,
    max_time_to_live: [lifetime],
  });
  if ('err' in prepared) throw new Error(prepared.err);
  const { public_key, expiration } = prepared.ok;
  const got = await service.get_delegation({ ...wanted, account: { name }, expiration });
  if ('err' in got) throw new Error(got.err);
  const delegation = new Delegation(session_key, expiration, targets);
  const signed = { delegation, signature: Uint8Array.from(got.ok) as Signature };
  return { session, chain: DelegationChain.fromDelegations([signed], Uint8Array.from(public_key) as never) };
}

/** The same with more keys at its end, each delegated to by the one before. */
export async function lengthened(
  { session, chain }: Delegated,
  keys: number,
  until?: Date,
): Promise<Delegated> {
  let longer: Delegated = { session, chain };
  for (let done = 0; done < keys; done += 1) {
    const next = await ECDSAKeyIdentity.generate();
    const previous = longer.chain;
    longer = {
      session: next,
      chain: await DelegationChain.create(
        longer.session,
        next.getPublicKey(),
        until ?? new Date(Date.now() + 60_000),
        { previous },
      ),
    };
  }
  return longer;
}

/** A challenge for a browser. */
export async function challengeFor(server: string, browser: Browser): Promise<string> {
  const { body } = await answerOf(
    await browser.visit(`${server}/api/auth/internet-identity/challenge`, { method: 'POST' }),
  );
  return String(body['challenge']);
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** What the console sends for a challenge. */
export async function proofOf(
  { session, chain }: Delegated,
  challenge: string,
  origin: string,
): Promise<Proof> {
  return {
    challenge,
    public_key: base64(chain.publicKey),
    delegations: chain.delegations.map(({ delegation, signature }) => ({
      public_key: base64(delegation.pubkey),
      expiration: String(delegation.expiration),
      signature: base64(signature),
    })),
    signature: base64(await session.sign(signInMessage(origin, challenge))),
  };
}

export async function send(server: string, browser: Browser, proof: unknown): Promise<Answer> {
  return answerOf(
    await browser.visit(`${server}/api/auth/internet-identity`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(proof),
    }),
  );
}

/** Signs a browser in. @returns its bearer token */
export async function signIn(server: string, browser: Browser, by: Delegated): Promise<string> {
  const proof = await proofOf(by, await challengeFor(server, browser), new URL(server).origin);
  const { status, body } = await send(server, browser, proof);
  if (status !== 200) throw new Error(`sign-in: ${status} ${body.error}`);
  return String(body['token']);
}
