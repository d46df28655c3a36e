import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAgent } from '@icp-sdk/core/agent';
import { DelegationChain, ECDSAKeyIdentity, Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityCanister } from '../../../../canisters/system/identity/index.ts';
import { createCanister, installCode } from '../../../../canisters/system/identity/test/install.ts';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import { hashSecret } from '../../src/secrets.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient, Browser } from '../support/client.ts';
import { type Program, startNetworkProgram } from '../support/server-process.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';
import {
  challengeFor,
  type Delegated,
  delegated,
  INTERNET_IDENTITY,
  lengthened,
  MINUTE,
  type Proof,
  proofOf,
  send,
  signIn,
} from './delegations.ts';

let server: RunningServer;
let db: Db;
let dataDir: string;
/** Another network, with the same canister at the same id. */
let abroad: Program;
/** The same code at another id. */
let imitation: Principal;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-internet-identity-'));
  server = await startTestServer({
    DATA_DIR: join(dataDir, 'product'),
    NETWORK_SERVICES: 'internet-identity',
    SIGN_IN_INTERNET_IDENTITY: 'on',
  });
  db = openDatabase(embeddedConnection(join(dataDir, 'product')), 2);
  abroad = await startNetworkProgram(join(dataDir, 'abroad'), 0, 'internet-identity');
  const agent = await HttpAgent.create({
    host: server.networkUrl,
    identity: Ed25519KeyIdentity.generate(),
    shouldFetchRootKey: true,
  });
  imitation = await createCanister(agent);
  await installCode(agent, imitation, new Uint8Array(await readFile(identityCanister.module)));
});
afterAll(async () => {
  await db.destroy();
  await server.close();
  await abroad.kill('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

const known = new Map<string, Promise<Delegated>>();
/** A delegation for this console, the same for what is asked twice. */
function here({
  name = 'alice',
  origin = server.url,
  ...asked
}: Partial<Parameters<typeof delegated>[1]> = {}) {
  const made = () => delegated(server.networkUrl, { name, origin, lifetime: 10n * MINUTE, ...asked });
  if (Object.keys(asked).length > 0) return made();
  const key = `${name} at ${origin}`;
  const found = known.get(key) ?? made();
  known.set(key, found);
  return found;
}
const profileOf = async (token: string) => (await new ApiClient(server.url, token).get('/user/profile')).body;

test('a principal has one account, and each browser in which it signs in a session', async () => {
  const first = await profileOf(await signIn(server.url, new Browser(), await here()));
  expect(first['username']).toMatch(/^ii-[a-z0-9]{5}$/);
  const again = new Browser();
  // Another key, which another window of the provider has delegated to.
  const token = await signIn(server.url, again, await here({ lifetime: MINUTE }));
  expect(await profileOf(token)).toEqual(first);
  expect(again.cookie('token')).toBe('1');
  expect(again.cookie('sign-in')).toBe('');
  const sessions = await new ApiClient(server.url, token).list('/session');
  expect(sessions).toHaveLength(2);
  const bob = await profileOf(await signIn(server.url, new Browser(), await here({ name: 'bob' })));
  expect(bob['id']).not.toBe(first['id']);
  // The same person at another site is another principal: what that site is given is no key to the account.
  const site = await here({ origin: 'https://site.example' });
  const stranger = await profileOf(await signIn(server.url, new Browser(), site));
  expect(stranger['id']).not.toBe(first['id']);
  // Nor is it the account of a name of the embedded sign-in.
  const { token: named } = await ApiClient.signIn(server.url, 'alice');
  expect((await profileOf(named))['id']).not.toBe(first['id']);
});

test('keys that the session key delegates to sign in as well, up to twenty', async () => {
  const own = await here();
  const first = await profileOf(await signIn(server.url, new Browser(), own));
  expect(await profileOf(await signIn(server.url, new Browser(), await lengthened(own, 1)))).toEqual(first);
  expect(await profileOf(await signIn(server.url, new Browser(), await lengthened(own, 19)))).toEqual(first);
});

describe('a challenge', () => {
  test('is taken once, however many try at the same moment', async () => {
    const browser = new Browser();
    const proof = await proofOf(await here(), await challengeFor(server.url, browser), server.url);
    const copies = Array.from({ length: 6 }, () => browser.copy());
    const answers = await Promise.all(copies.map((copy) => send(server.url, copy, proof)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401]);
    expect(await send(server.url, browser, proof)).toMatchObject({
      status: 401,
      body: { code: 'sign_in_failed' },
    });
  });

  test('is for the browser that has asked for it', async () => {
    const [attacker, victim] = [new Browser(), new Browser()];
    const planted = await proofOf(
      await here({ name: 'attacker' }),
      await challengeFor(server.url, attacker),
      server.url,
    );
    const own = await proofOf(await here(), await challengeFor(server.url, victim), server.url);
    // What the attacker has signed does not sign the victim in, nor a browser without cookies.
    for (const browser of [victim, new Browser(), Browser.with({ 'sign-in': 'A'.repeat(43) })]) {
      expect((await send(server.url, browser.copy(), planted)).status).toBe(401);
    }
    // What the victim has signed signs nobody else in; each is still good where it belongs.
    expect((await send(server.url, attacker.copy(), own)).status).toBe(401);
    expect((await send(server.url, attacker, planted)).status).toBe(200);
    expect((await send(server.url, victim, own)).status).toBe(200);
  });

  test('is too old after a minute', async () => {
    const browser = new Browser();
    const challenge = await challengeFor(server.url, browser);
    const { expires_at } = await db
      .selectFrom('sign_in_challenges')
      .select('expires_at')
      .where('challenge_hash', '=', hashSecret(challenge))
      .executeTakeFirstOrThrow();
    expect(expires_at.getTime() - Date.now()).toBeLessThanOrEqual(60_000);
    await db
      .updateTable('sign_in_challenges')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('challenge_hash', '=', hashSecret(challenge))
      .execute();
    expect((await send(server.url, browser, await proofOf(await here(), challenge, server.url))).status).toBe(
      401,
    );
  });
});

/** What somebody may send in place of what Internet Identity has signed for this console. */
const forgeries: Record<string, (challenge: string) => Promise<unknown>> = {
  'a delegation that has expired': async (challenge) => {
    const short = await here({ lifetime: 500_000_000n });
    await new Promise((resolve) => setTimeout(resolve, 800));
    return proofOf(short, challenge, server.url);
  },
  'an expiry that was moved': async (challenge) => {
    const proof = await proofOf(await here(), challenge, server.url);
    return changedFirst(proof, ({ expiration }) => ({ expiration: String(BigInt(expiration) + 1n) }));
  },
  'a delegation for other canisters': async (challenge) =>
    proofOf(await here({ targets: [INTERNET_IDENTITY] }), challenge, server.url),
  'a later delegation that has expired': async (challenge) =>
    proofOf(await lengthened(await here(), 1, new Date(Date.now() - 1)), challenge, server.url),
  'a later delegation for other canisters': async (challenge) => {
    const { session, chain } = await here();
    const next = await ECDSAKeyIdentity.generate();
    const limited = await DelegationChain.create(
      session,
      next.getPublicKey(),
      new Date(Date.now() + 60_000),
      {
        previous: chain,
        targets: [INTERNET_IDENTITY],
      },
    );
    return proofOf({ session: next, chain: limited }, challenge, server.url);
  },
  'the signature of another key': async (challenge) =>
    proofOf({ ...(await here()), session: await ECDSAKeyIdentity.generate() }, challenge, server.url),
  'a signature for another console': async (challenge) =>
    proofOf(await here(), challenge, 'http://console.example'),
  'a signature of another challenge': async (challenge) => ({
    ...(await proofOf(await here(), 'A'.repeat(43), server.url)),
    challenge,
  }),
  'the key of another principal': async (challenge) => ({
    ...(await proofOf(await here(), challenge, server.url)),
    public_key: (await proofOf(await here({ name: 'bob' }), challenge, server.url)).public_key,
  }),
  'a key that somebody has made': async (challenge) => {
    const [made, session] = [Ed25519KeyIdentity.generate(), await ECDSAKeyIdentity.generate()];
    const chain = await DelegationChain.create(made, session.getPublicKey(), new Date(Date.now() + 60_000));
    return proofOf({ session, chain }, challenge, server.url);
  },
  'another canister': async (challenge) =>
    proofOf(await here({ canister: imitation }), challenge, server.url),
  'the name of the canister with the signature of another': async (challenge) => {
    const { session, chain } = await here({ canister: imitation });
    const id = Buffer.from(imitation.toUint8Array()).toString('hex');
    const own = Buffer.from(INTERNET_IDENTITY.toUint8Array()).toString('hex');
    const renamed = Buffer.from(Buffer.from(chain.publicKey).toString('hex').replace(id, own), 'hex');
    expect(renamed.equals(Buffer.from(chain.publicKey))).toBe(false);
    const forged = DelegationChain.fromDelegations(chain.delegations, new Uint8Array(renamed) as never);
    return proofOf({ session, chain: forged }, challenge, server.url);
  },
  'another network': async (challenge) =>
    proofOf(await delegated(abroad.url, { origin: server.url }), challenge, server.url),
  'what is no base64': async (challenge) =>
    changedFirst(await proofOf(await here(), challenge, server.url), () => ({ signature: '\u0000!' })),
  'an empty key': async (challenge) => ({
    ...(await proofOf(await here(), challenge, server.url)),
    public_key: '',
  }),
  'what is no CBOR': (challenge) => withSignature(challenge, Buffer.from('not at all')),
  'what is nested deeply': (challenge) => withSignature(challenge, Buffer.alloc(8_000, 0x81)),
  'what has another form': (challenge) => withSignature(challenge, Buffer.from('a0', 'hex')),
  'a certificate that is none': (challenge) =>
    withSignature(challenge, Buffer.from('a26b6365727469666963617465416064747265658100', 'hex')),
};

function changedFirst(
  proof: Proof,
  change: (first: Proof['delegations'][number]) => Partial<Proof['delegations'][number]>,
): unknown {
  const [first, ...others] = proof.delegations;
  return first && { ...proof, delegations: [{ ...first, ...change(first) }, ...others] };
}

async function withSignature(challenge: string, signature: Buffer): Promise<unknown> {
  const proof = await proofOf(await here(), challenge, server.url);
  return changedFirst(proof, () => ({ signature: signature.toString('base64') }));
}

test.each(Object.entries(forgeries))(
  '%s signs nobody in, and uses the challenge up',
  async (_what, forge) => {
    const browser = new Browser();
    const challenge = await challengeFor(server.url, browser);
    const forged = await forge(challenge);
    const refused = await send(server.url, browser.copy(), forged);
    expect(refused).toMatchObject({ status: 401, body: { code: 'sign_in_failed' } });
    expect(refused.headers.getSetCookie()).toEqual([]);
    const good = await proofOf(await here(), challenge, server.url);
    expect((await send(server.url, browser, good)).status).toBe(401);
  },
);

test('what has no form of a proof is refused before anything is looked at', async () => {
  const browser = new Browser();
  const challenge = await challengeFor(server.url, browser);
  const good = await proofOf(await here(), challenge, server.url);
  const [first] = good.delegations;
  for (const change of [
    { delegations: [] },
    { delegations: [first, ...Array.from({ length: 20 }, () => ({ ...first, signature: 'AAAA' }))] },
    { public_key: 'A'.repeat(400) },
    { challenge: 'A'.repeat(44) },
    { delegations: [{ ...first, expiration: '-1' }] },
  ]) {
    const { status, body } = await send(server.url, browser.copy(), { ...good, ...change });
    expect([status, body['code']], body.error).toEqual([400, 'invalid_input']);
  }
  const long = { ...first, signature: 'A'.repeat(20_000) };
  expect((await send(server.url, browser.copy(), { ...good, delegations: [long] })).status).toBe(413);
  expect((await send(server.url, browser, good)).status).toBe(200);
});

test('the page says where it signs in, and lets the window answer', async () => {
  const { port } = new URL(server.networkUrl);
  const { body } = await new ApiClient(server.url, '').get('/config');
  expect(body['sign_in']).toEqual({
    provider: 'google',
    embedded: true,
    internet_identity: { address: `http://id.ai.localhost:${port}/authorize`, origin: server.url },
  });
  const page = await fetch(`${server.url}/login`);
  expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
  // No other site may have principals that are made for this one.
  const alternatives = await fetch(`${server.url}/.well-known/ii-alternative-origins`);
  expect(alternatives.headers.get('content-type')).not.toContain('json');
});

test('a console that does not offer it has no such calls', async () => {
  const other = await startTestServer({ IC_URL: NO_NETWORK });
  try {
    const browser = new Browser();
    expect((await send(other.url, browser, { challenge: 'A'.repeat(43) })).status).toBe(400);
    const challenge = await browser.visit(`${other.url}/api/auth/internet-identity/challenge`, {
      method: 'POST',
    });
    expect(challenge.status).toBe(404);
    expect(browser.values()).toEqual([]);
    const proof = await proofOf(await here(), 'A'.repeat(43), server.url);
    expect((await send(other.url, browser, proof)).status).toBe(404);
    const { body } = await new ApiClient(other.url, '').get('/config');
    expect(body['sign_in']).toEqual({ provider: 'google', embedded: true });
    const page = await fetch(`${other.url}/login`);
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  } finally {
    await other.close();
  }
});
