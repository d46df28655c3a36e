import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { Actor, type ActorSubclass, HttpAgent, type Identity, type Signature } from '@icp-sdk/core/agent';
import { Delegation, DelegationChain, DelegationIdentity, Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askPage, type PageSeen } from '../../../../packages/network/test/ask-page.ts';
import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import { type Account, identityInterface, type IdentityService, type Result } from '../interface.ts';
import { sourceStamp, stampPath } from '../sources.ts';
import { createCanister, installCode, installIdentity } from './install.ts';
import { WHOAMI, type Whoami, whoamiInterface } from './whoami.ts';

const SITE = 'https://app.example.com';
const MINUTE = 60_000_000_000n;
const DAY = 24n * 60n * MINUTE;
const ALICE: Account = { name: 'alice' };

let dataDir: string;
let network: LocalNetwork;
let agent: HttpAgent;
let identityId: Principal;
let backend: Principal;
let other: Principal;
let anonymous: ActorSubclass<IdentityService>;

const connect = (identity?: Identity): Promise<HttpAgent> =>
  HttpAgent.create({ host: network.url, identity, shouldFetchRootKey: true, retryTimes: 0 });

function service(by: HttpAgent): ActorSubclass<IdentityService> {
  return Actor.createActor<IdentityService>(identityInterface, { agent: by, canisterId: identityId });
}

function ok<T>(result: Result<T>): T {
  if ('err' in result) throw new Error(result.err);
  return result.ok;
}

const err = (result: Result<unknown>): string => ('err' in result ? result.err : 'ok');

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'identity-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  agent = await connect(Ed25519KeyIdentity.generate());
  identityId = await installIdentity(agent);
  const wasm = compileMotoko(WHOAMI);
  [backend, other] = [await createCanister(agent), await createCanister(agent)];
  await Promise.all([backend, other].map((id) => installCode(agent, id, wasm)));
  anonymous = service(await connect());
});

afterAll(async () => {
  await network.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface SignIn {
  readonly account?: Account;
  readonly by?: ActorSubclass<IdentityService>;
  readonly lifetime?: bigint;
  readonly targets?: Principal[];
}

/** Signs in at `origin` as a site does, with a session key of its own. */
async function signIn(origin: string, { account = ALICE, by = anonymous, lifetime, targets }: SignIn = {}) {
  const session = Ed25519KeyIdentity.generate();
  const asked = {
    origin,
    session_key: session.getPublicKey().toDer(),
    targets: (targets ? [targets] : []) as [] | [Principal[]],
  };
  const max_time_to_live = (lifetime === undefined ? [] : [lifetime]) as [] | [bigint];
  const wanted = { ...asked, max_time_to_live };
  const { public_key, expiration } = ok(
    await ('name' in account
      ? by.prepare_delegation_by_name(account.name, wanted)
      : by.prepare_delegation(wanted)),
  );
  const got = { ...asked, account, expiration };
  const signature = ok(await by.get_delegation(got));
  const delegation = new Delegation(asked.session_key, expiration, targets);
  const signed = { delegation, signature: Uint8Array.from(signature) as Signature };
  const chain = DelegationChain.fromDelegations([signed], Uint8Array.from(public_key) as never);
  return {
    identity: DelegationIdentity.fromDelegation(session, chain),
    expiration,
    asked,
    got,
    signed,
    chain,
  };
}

async function whoami(identity: Identity, canisterId = backend): Promise<readonly [string, string]> {
  const actor = Actor.createActor<Whoami>(whoamiInterface, { agent: await connect(identity), canisterId });
  return [(await actor.whoami()).toText(), (await actor.asked_by()).toText()];
}

describe('a delegation', () => {
  test('is accepted for updates and queries, with one principal for an account at a site', async () => {
    const { identity } = await signIn(SITE);
    const [updated, queried] = await whoami(identity);
    expect(updated).toBe(identity.getPrincipal().toText());
    expect(queried).toBe(updated);
    const again = await signIn(SITE);
    expect((await whoami(again.identity))[0]).toBe(updated);
  });

  test('has another principal at another site, for another account and for a key', async () => {
    const key = service(await connect(Ed25519KeyIdentity.generate()));
    const all = await Promise.all([
      signIn(SITE),
      signIn(`${SITE}:8080`),
      signIn('http://app.example.com'),
      signIn(SITE, { account: { name: 'alice ltd' } }),
      signIn(SITE, { account: { name: `alice${SITE}` } }),
      signIn(SITE, { account: { key: null }, by: key }),
    ]);
    expect(new Set(all.map(({ identity }) => identity.getPrincipal().toText())).size).toBe(all.length);
  });

  test('works at its targets only', async () => {
    const { identity } = await signIn(SITE, { targets: [backend] });
    expect((await whoami(identity))[0]).toBe(identity.getPrincipal().toText());
    await expect(whoami(identity, other)).rejects.toThrow(/not one of the delegation targets|target/i);
  });

  test('cannot be stretched: another key, time or target is not what was signed', async () => {
    const { signed, chain, asked, expiration } = await signIn(SITE, { targets: [backend] });
    const thief = Ed25519KeyIdentity.generate();
    const changed = async (session: Ed25519KeyIdentity, delegation: Delegation): Promise<unknown> =>
      whoami(
        DelegationIdentity.fromDelegation(
          session,
          DelegationChain.fromDelegations([{ ...signed, delegation }], chain.publicKey),
        ),
      );
    const stolen = new Delegation(thief.getPublicKey().toDer(), expiration, [backend]);
    await expect(changed(thief, stolen)).rejects.toThrow('did not sign this message');
    const session = Ed25519KeyIdentity.generate();
    expect(asked.session_key).not.toEqual(session.getPublicKey().toDer());
    const longer = new Delegation(asked.session_key, expiration + 1n, [backend]);
    await expect(changed(session, longer)).rejects.toThrow(/did not sign this message|signature/i);
    const wider = new Delegation(asked.session_key, expiration);
    await expect(changed(session, wider)).rejects.toThrow(/did not sign this message|signature/i);
  });

  test('lasts as long as was asked, and 30 days at most', async () => {
    const now = network.now();
    const near = (nanos: bigint, wished: bigint): boolean =>
      nanos - now >= wished && nanos - now < wished + MINUTE;
    expect(near((await signIn(SITE)).expiration, 30n * MINUTE)).toBe(true);
    expect(near((await signIn(SITE, { lifetime: DAY })).expiration, DAY)).toBe(true);
    expect(near((await signIn(SITE, { lifetime: 31n * DAY })).expiration, 30n * DAY)).toBe(true);
    expect(near((await signIn(SITE, { lifetime: 2n ** 64n - 1n })).expiration, 30n * DAY)).toBe(true);
  });

  test('of a key goes to the one who signs with that key', async () => {
    const key = service(await connect(Ed25519KeyIdentity.generate()));
    const { got, identity } = await signIn(SITE, { account: { key: null }, by: key });
    expect((await whoami(identity))[0]).toBe(identity.getPrincipal().toText());
    expect(err(await anonymous.get_delegation(got))).toContain('who signs with it');
    const stranger = service(await connect(Ed25519KeyIdentity.generate()));
    expect(err(await stranger.get_delegation(got))).toContain('not prepared');
  });

  test('is not signed for what is no key, no site or no name', async () => {
    const session_key = Ed25519KeyIdentity.generate().getPublicKey().toDer();
    const good = { origin: SITE, session_key, max_time_to_live: [] as [], targets: [] as [] };
    const refused = async ({
      name = 'alice',
      ...change
    }: {
      name?: string;
      [field: string]: unknown;
    }): Promise<string> => err(await anonymous.prepare_delegation_by_name(name, { ...good, ...change }));
    expect(await refused({})).toBe('ok');
    for (const key of [
      new Uint8Array(),
      new Uint8Array(44),
      session_key.slice(0, 43),
      Uint8Array.from([...session_key, 0]),
      Uint8Array.from([0x30, 0x82, 0x02, 0x70, ...new Uint8Array(624)]),
    ]) {
      expect(await refused({ session_key: key })).toContain('no public key');
    }
    for (const origin of [
      '',
      'https://',
      'app.example.com',
      'https://a.example/path',
      'https://a@b',
      'ftp://a',
      'null',
      `https://${'a'.repeat(300)}`,
    ]) {
      expect(await refused({ origin })).toContain('origin');
    }
    for (const name of [
      '',
      ' alice',
      'alice ',
      'al  ice',
      'a'.repeat(41),
      'ali\u202ece',
      'al\u200bice',
      'ali\nce',
      '\u0000',
    ]) {
      expect(await refused({ name })).toContain('A name has');
    }
    expect(await refused({ name: '<img src=x onerror=alert(1)>' })).toBe('ok');
    expect(await refused({ targets: [Array.from({ length: 1_001 }, () => backend)] })).toContain('1,000');
  });
});

describe('passkeys', () => {
  test('are kept for their owner, and not exchanged', async () => {
    const owner = Ed25519KeyIdentity.generate();
    const by = service(await connect(owner));
    const passkey = { credential_id: Uint8Array.from([1, 2, 3]), public_key: owner.getPublicKey().toDer() };
    const thief = Ed25519KeyIdentity.generate();
    const byThief = service(await connect(thief));
    expect(err(await byThief.register_passkey(passkey))).toContain('by itself');
    expect(await anonymous.passkey_key(passkey.credential_id)).toEqual([]);
    ok(await by.register_passkey(passkey));
    ok(await by.register_passkey(passkey));
    const taken = { ...passkey, public_key: thief.getPublicKey().toDer() };
    expect(err(await byThief.register_passkey(taken))).toContain('Another passkey');
    const [kept] = await anonymous.passkey_key(passkey.credential_id);
    expect(kept && Uint8Array.from(kept)).toEqual(Uint8Array.from(passkey.public_key));
    expect(err(await by.register_passkey({ ...passkey, credential_id: new Uint8Array(1_024) }))).toContain(
      '1,023',
    );
  });
});

describe('a network', () => {
  test('keeps its accounts over an upgrade', async () => {
    const key = service(await connect(Ed25519KeyIdentity.generate()));
    const before = [await signIn(SITE), await signIn(SITE, { account: { key: null }, by: key })];
    await installIdentity(agent, { upgrade: true });
    const after = [await signIn(SITE), await signIn(SITE, { account: { key: null }, by: key })];
    expect(after.map(({ identity }) => identity.getPrincipal().toText())).toEqual(
      before.map(({ identity }) => identity.getPrincipal().toText()),
    );
  });

  test('has accounts by name for anonymous callers only, and those of keys for keys', async () => {
    const by = service(await connect(Ed25519KeyIdentity.generate()));
    await expect(signIn(SITE, { by })).rejects.toThrow('call anonymously');
    await expect(signIn(SITE, { account: { key: null } })).rejects.toThrow('who signs with it');
  });

  test('forgets a signature after a minute', async () => {
    const { got } = await signIn(SITE);
    const still = await anonymous.get_delegation(got);
    expect(err(still)).toBe('ok');
    await network.advanceTime(2n * MINUTE);
    await signIn(SITE);
    expect(err(await anonymous.get_delegation(got))).toContain('not prepared');
  });
});

describe('the page', () => {
  test('is served, certified, at both hosts and in nobody’s frame', async () => {
    const at = (host: string, path: string): Promise<PageSeen> =>
      askPage({ port: network.port, host: `${host}.localhost`, path });
    for (const host of ['id.ai', identityId.toText()]) {
      for (const path of ['/', '/authorize', '/authorize?openid=x']) {
        const { status, headers, body } = await at(host, path);
        expect([status, headers['x-ic-canister-id']]).toEqual([200, identityId.toText()]);
        expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
        expect(headers['x-frame-options']).toBe('DENY');
        expect(body.toString()).toContain('<title>Sign in</title>');
      }
      expect((await at(host, '/page.js')).headers['content-type']).toContain('javascript');
      const absent = await at(host, '/authorize/else');
      expect([absent.status, absent.body.toString()]).toEqual([404, 'There is nothing at this address.']);
    }
  });

  test('is of its sources, as is the module', async () => {
    const kept = await readFile(stampPath, 'utf8');
    expect(kept.trim(), 'run node canisters/system/identity/build.ts').toBe(await sourceStamp());
  });
});

test('a network that others reach refuses names, whatever it was before', async () => {
  const alice = await signIn(SITE);
  const key = Ed25519KeyIdentity.generate();
  const before = await signIn(SITE, { account: { key: null }, by: service(await connect(key)) });
  // By a name besides those of loopback, or behind a proxy that gives canisters addresses.
  for (const reach of [
    { canisterUrl: 'https://{canisterId}.sites.example.com/' },
    { hosts: ['sites.example.com'] },
  ]) {
    await network.close();
    network = await createLocalNetwork({ dataDir, port: 0, ...reach });
    anonymous = service(await connect());
    await expect(signIn(SITE)).rejects.toThrow('only this computer reaches');
  }
  // What it was given while only this computer reached the network goes on until it expires.
  expect((await whoami(alice.identity))[0]).toBe(alice.identity.getPrincipal().toText());
  const after = await signIn(SITE, { account: { key: null }, by: service(await connect(key)) });
  expect(after.identity.getPrincipal().toText()).toBe(before.identity.getPrincipal().toText());
});
