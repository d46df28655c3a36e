import { createHash } from 'node:crypto';
import { internetIdentityEndpoints, signInMessage } from '@cannery/contract';
import type { BodyOf } from '@cannery/contract';
import type { InternetIdentity } from '../../config/internet-identity.ts';
import type { AppContext } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { FairSemaphore } from '../../fairness/fair-semaphore.ts';
import { type OpenCall, publicRoute, type Route } from '../../http/route.ts';
import { principalOf, type SignedChallenge } from '../../identity/internet-identity/signed-challenge.ts';
import type { Identity } from '../../identity/oidc-client.ts';
import { newSecret } from '../../secrets.ts';
import { signInUser } from '../user/sign-in-user.ts';
import { type SignInCookies, signInCookies } from './cookies.ts';
import { deviceOf } from './device.ts';
import { ForeignSignInError, notingSignIn } from './note-sign-in.ts';
import { issueChallenge, useChallenge } from './sign-in-store.ts';
import { openSession } from './store.ts';

type Body = BodyOf<typeof internetIdentityEndpoints.signIn>;

/**
 * Chains of strangers that are checked. The signature of a certificate takes some milliseconds of the thread that checks what decides
 * about payments too: one at a time, so that those wait for one at most.
 */
const CHECKS = { most: 1, perTenant: 1, waitingPerTenant: 50, what: 'sign-ins' };
const STRANGERS = 'strangers';

/**
 * Sign-in by a key that Internet Identity has delegated to (decision 0158).
 * @param settings undefined where it is not offered
 */
export function internetIdentityRoutes(ctx: AppContext, settings: InternetIdentity | undefined): Route[] {
  const cookies = signInCookies(ctx.addresses.publicUrl.startsWith('https:'));
  const checks = new FairSemaphore(CHECKS);
  const limits = { callsPerMinute: ctx.config.calls.signInsPerMinute };
  const offered = (): InternetIdentity => {
    if (settings === undefined) throw notFound('Internet Identity');
    return settings;
  };
  return [
    publicRoute(
      internetIdentityEndpoints.challenge,
      async () => {
        offered();
        // A name that somebody else may have set or read before would bind the sign-in to them.
        const browser = newSecret();
        const challenge = await ctx.transact((tx) => issueChallenge(tx, { browser }));
        const headers = { 'set-cookie': cookies.begun(browser), 'cache-control': 'no-store' };
        return { body: { challenge }, headers };
      },
      limits,
    ),
    publicRoute(
      internetIdentityEndpoints.signIn,
      async (call) => {
        const settings = offered();
        const step = () => signIn(ctx, call, { settings, cookies, checks });
        const { bearer } = await notingSignIn(ctx, 'internet_identity', step);
        return { body: { token: bearer }, headers: { 'set-cookie': [cookies.marked, cookies.ended] } };
      },
      limits,
    ),
  ];
}

/** Opens a session for whom a signed challenge is of. @throws AppError sign_in_failed */
async function signIn(
  ctx: AppContext,
  { body, cookies: sent, userAgent }: OpenCall<typeof internetIdentityEndpoints.signIn>,
  {
    settings: { origin, isMainnet },
    cookies,
    checks,
  }: { settings: InternetIdentity; cookies: SignInCookies; checks: FairSemaphore },
): Promise<{ userId: string; bearer: string }> {
  const browser = cookies.browserOf(sent);
  const { challenge } = body;
  const isIts =
    browser !== undefined && (await ctx.transact((tx) => useChallenge(tx, { challenge, browser })));
  if (!isIts) {
    throw new ForeignSignInError('This sign-in has been used, is too old, or was begun in another browser.');
  }
  const rootKey = await ctx.ic.rootKey({ ofMainnet: isMainnet });
  const principal = await checks.take(STRANGERS, () =>
    principalOf(signedChallenge(body), {
      message: signInMessage(origin, challenge),
      rootKey,
      // What its canister has signed holds until a time of its network.
      now: isMainnet ? Date.now() : ctx.ic.now().getTime(),
    }),
  );
  return ctx.transact(async (tx) => {
    const { openingBalance } = ctx.config;
    const userId = await signInUser(tx, identityOf(principal, rootKey), { openingBalance });
    return { userId, bearer: await openSession(tx, { userId, device: deviceOf(userAgent) }) };
  });
}

function signedChallenge({ public_key, delegations, signature }: Body): SignedChallenge {
  const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
  return {
    publicKey: bytes(public_key),
    delegations: delegations.map((each) => ({
      publicKey: bytes(each.public_key),
      expiration: BigInt(each.expiration),
      signature: bytes(each.signature),
    })),
    signature: bytes(signature),
  };
}

/**
 * Whose account it is. The issuer is the network that vouches, by its key: every network has a canister with the id of Internet Identity,
 * and whoever runs one can sign there for the principals of another.
 */
function identityOf(principal: string, rootKey: Uint8Array): Identity {
  const network = createHash('sha256').update(rootKey).digest('hex');
  const [beginning = ''] = principal.split('-');
  const unknown = { name: undefined, email: undefined, picture: undefined };
  return {
    ...unknown,
    issuer: `internet-identity:${network}`,
    subject: principal,
    username: `ii-${beginning}`,
  };
}
