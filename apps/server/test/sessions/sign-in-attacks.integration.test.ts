import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import { hashSecret } from '../../src/secrets.ts';
import { embeddedKeys } from '../../src/identity/embedded-state.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient, Browser, exchange } from '../support/client.ts';
import { sendRaw } from '../support/send-raw.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';
import {
  authorizationRequests,
  evil,
  falseHeaders,
  foreignAddresses,
  forgeries,
  redirects,
} from './sign-in-probes.ts';
import { authorization, callbackOf, changed, thieves, tokenOf } from './sign-in-steps.ts';

let server: RunningServer;
let db: Db;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-attacks-'));
  server = await startTestServer({ IC_URL: NO_NETWORK, DATA_DIR: dataDir });
  db = openDatabase(embeddedConnection(dataDir), 2);
});
afterAll(async () => {
  await db.destroy();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function expectRefused(browser: Browser, callback: URL): Promise<void> {
  const { url } = await browser.follow(callback.href);
  expect(url.origin + url.pathname).toBe(`${server.url}/login`);
  expect(url.searchParams.get('token')).toBeNull();
  expect(url.searchParams.get('error')).toMatch(/^[A-Z][\w ,'-]+\.( Please try again\.)?$/);
}

describe('[AUTH-04] [OP-03] a stolen single-use token', () => {
  test.each(Object.entries(thieves))('%s opens nothing, and stays good for its own', async (_name, steal) => {
    const victim = new Browser();
    const token = await tokenOf(server.url, victim, 'victim');
    expect(await steal(server.url, victim, token)).toMatchObject({
      status: 401,
      body: { code: 'sign_in_failed' },
    });
    expect((await exchange(server.url, token, victim)).status).toBe(200);
  });

  test('is no bearer token', async () => {
    const client = new ApiClient(server.url, await tokenOf(server.url, new Browser(), 'victim'));
    expect((await client.get('/user/profile')).status).toBe(401);
  });

  test('works once, however many try at the same moment', async () => {
    const victim = new Browser();
    const token = await tokenOf(server.url, victim, 'racer');
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(server.url, token, victim)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await exchange(server.url, token, victim)).status).toBe(401);
  });

  test('is too old after a minute', async () => {
    const victim = new Browser();
    const token = await tokenOf(server.url, victim, 'late');
    const past = new Date(Date.now() - 1);
    await db
      .updateTable('sign_in_tokens')
      .set({ expires_at: past })
      .where('token_hash', '=', hashSecret(token))
      .execute();
    expect((await exchange(server.url, token, victim)).status).toBe(401);
  });

  test('of an earlier sign-in does not work for a later one of the same browser', async () => {
    const browser = new Browser();
    const token = await tokenOf(server.url, browser, 'first');
    await authorization(server.url, browser);
    expect((await exchange(server.url, token, browser)).status).toBe(401);
  });
});

describe('[API-37] the way back from the provider', () => {
  test.each(Object.entries(forgeries))('%s: refused', async (_name, values) => {
    const browser = new Browser();
    await expectRefused(browser, changed(await callbackOf(server.url, browser, 'mallory'), values));
  });

  test("an attacker's code in the victim's sign-in: refused", async () => {
    const [attacker, victim] = [new Browser(), new Browser()];
    const code = (await callbackOf(server.url, attacker, 'attacker')).searchParams.get('code') ?? '';
    await expectRefused(victim, changed(await callbackOf(server.url, victim, 'victim'), { code }));
  });

  test("an attacker's whole callback in the victim's browser: refused, before, while and after her own", async () => {
    const victim = new Browser();
    const planted = await callbackOf(server.url, new Browser(), 'attacker');
    await expectRefused(victim, planted);
    await authorization(server.url, victim);
    await expectRefused(victim, planted);
    await tokenOf(server.url, victim, 'victim');
    await expectRefused(victim, planted);
  });

  test('two sign-ins of one browser are not mixed up', async () => {
    const browser = new Browser();
    const [first, second] = [
      await callbackOf(server.url, browser, 'one'),
      await callbackOf(server.url, browser, 'two'),
    ];
    await expectRefused(browser, changed(second, { code: first.searchParams.get('code') ?? '' }));
  });

  test('a cookie that was planted before is not taken over', async () => {
    const planted = 'A'.repeat(43);
    const victim = Browser.with({ 'sign-in': planted });
    await authorization(server.url, victim);
    expect(victim.cookie('sign-in')).toMatch(/^[\w-]{43}$/);
    expect(victim.cookie('sign-in')).not.toBe(planted);
  });

  test('one token comes back, however often the callback is called at the same moment', async () => {
    const browser = new Browser();
    const callback = await callbackOf(server.url, browser, 'hasty');
    const ends = await Promise.all(Array.from({ length: 6 }, () => browser.follow(callback.href)));
    expect(ends.filter(({ url }) => url.searchParams.has('token'))).toHaveLength(1);
    await expectRefused(browser, callback);
  });

  test('a sign-in that took too long is refused', async () => {
    const browser = new Browser();
    const callback = await callbackOf(server.url, browser, 'slow');
    await db
      .updateTable('sign_in_attempts')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    await expectRefused(browser, callback);
  });
});

describe('the embedded provider', () => {
  test('sends codes to the one address of this console', async () => {
    const asked = await authorization(server.url, new Browser());
    const own = new URL(asked.searchParams.get('redirect_uri') ?? '');
    for (const redirect of redirects(own)) {
      const answer = await new Browser().visit(changed(asked, { redirect_uri: redirect }).href);
      expect([answer.status, answer.headers.get('location')], redirect).toEqual([400, null]);
    }
  });

  test.each(Object.entries(authorizationRequests))('gives no code %s', async (_name, values) => {
    const browser = new Browser();
    await tokenOf(server.url, browser, 'known');
    const asked = changed(await authorization(server.url, browser), values);
    const answer = await browser.visit(asked.href);
    const location = answer.headers.get('location');
    if (location === null) return expect(answer.status).toBe(400);
    const [target] = location.split(/[?#]/);
    expect(target).toBe(asked.searchParams.get('redirect_uri'));
    expect(location).toContain('error=');
    expect(location).not.toMatch(/[?&#](code|token|id_token|access_token)=/);
  });

  test('takes the character NUL for no client, code or token', async () => {
    const asked = await authorization(server.url, new Browser());
    const ask = async (values: Record<string, string>) =>
      (await new Browser().visit(changed(asked, values).href)).status;
    expect(await ask({ client_id: '\0' })).toBe(400);
    expect(await ask({ state: 'a\0b', nonce: '\0', login_hint: '\0' })).toBe(303);
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: '\0', client_id: '\0' });
    expect((await fetch(`${server.url}/oidc/token`, { method: 'POST', body })).status).toBe(401);
  });

  test('changes a code for its own client, verifier and address only, and once', async () => {
    const { value } = await db
      .selectFrom('server_keys')
      .select('value')
      .where('name', '=', 'embedded-provider')
      .executeTakeFirstOrThrow();
    const { clientSecret } = embeddedKeys.parse(value);
    const redeem = async (fields: Record<string, string>, secret = clientSecret): Promise<number> => {
      const basic = Buffer.from(`cannery-console:${secret}`).toString('base64');
      const answer = await fetch(`${server.url}/oidc/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({ grant_type: 'authorization_code', ...fields }),
      });
      return answer.status;
    };
    const browser = new Browser();
    const callback = await callbackOf(server.url, browser, 'code owner');
    const code = callback.searchParams.get('code') ?? '';
    const attempt = await db
      .selectFrom('sign_in_attempts')
      .select('code_verifier')
      .where('state_hash', '=', hashSecret(callback.searchParams.get('state') ?? ''))
      .executeTakeFirstOrThrow();
    const right = {
      code,
      code_verifier: attempt.code_verifier,
      redirect_uri: `${server.url}/api/auth/google/callback`,
    };
    expect(await redeem({ ...right, code_verifier: 'v'.repeat(43) })).toBe(400);
    const { code_verifier: _verifier, ...unproven } = right;
    expect(await redeem(unproven)).toBe(400);
    expect(await redeem({ ...right, redirect_uri: `${server.url}/other` })).toBe(400);
    expect(await redeem(right, 'another secret')).toBe(401);
    expect(await redeem({ ...right, code: 'c'.repeat(43) })).toBe(400);
    expect(await redeem(right)).toBe(200);
    expect(await redeem(right)).toBe(400);
  });

  test.each([
    '/oidc/reg',
    '/oidc/session/end',
    '/oidc/token/introspection',
    '/oidc/device/auth',
    '/oidc/request',
  ])('has no %s', async (path) => {
    expect((await fetch(server.url + path, { method: 'POST' })).status).toBe(404);
  });

  test("another browser can neither see nor end somebody's sign-in", async () => {
    const { url } = await new Browser().follow(`${server.url}/api/auth/google/`);
    for (const [path, method] of [
      [url.pathname, 'GET'],
      [url.pathname, 'POST'],
      [`${url.pathname}/cancel`, 'POST'],
    ] as const) {
      const body = method === 'POST' ? new URLSearchParams({ login: 'ada' }) : undefined;
      const answer = await new Browser().visit(server.url + path, { method, body });
      expect(answer.headers.get('location')).toMatch(/^\/login\?error=/);
    }
  });
});

describe('no address leads away from the console', () => {
  test.each(foreignAddresses)('%s', async (path) => {
    const { status, location } = await sendRaw(server.url, path, {
      host: new URL(server.url).host,
      accept: 'text/html',
    });
    expect(status).toBeLessThan(500);
    const target = new URL(location === '' ? '/' : location, server.url);
    expect(target.origin).toBe(server.url);
    expect(target.pathname + target.search).not.toMatch(/^\/[/\\]|evil/);
  });

  test.each(falseHeaders)('a false %s changes no address of the sign-in', async (_name, headers) => {
    const own = { host: new URL(server.url).host };
    for (const path of ['/api/auth/google/', '/auth/google/', '/api/auth/google/callback?state=x']) {
      const { status, location, text } = await sendRaw(server.url, path, { ...own, ...headers });
      if (location !== '') expect(new URL(location).origin).toBe(server.url);
      // Either the provider of the console refuses, or the console does not answer to that name at all.
      else expect([400, 421]).toContain(status);
      expect(location + text).not.toContain(evil);
    }
  });
});

describe('secrets do not travel further', () => {
  test('no page of the sign-in tells another where it was, and no answer with a secret is kept', async () => {
    const browser = new Browser();
    const start = await browser.visit(`${server.url}/api/auth/google/`);
    const page = await new Browser().follow(`${server.url}/api/auth/google/`);
    const end = await browser.visit((await callbackOf(server.url, browser, 'reader')).href);
    expect(end.headers.get('location')).toContain('/login?token=');
    for (const answer of [start, page.response, end, await fetch(`${server.url}/login?token=x`)]) {
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    }
    for (const answer of [start, page.response, end]) {
      expect(answer.headers.get('cache-control')).toContain('no-store');
    }
  });

  test('[OP-05] a thief with every cookie of a signed-in browser gets in nowhere', async () => {
    const victim = new Browser();
    const token = await tokenOf(server.url, victim, 'loser of cookies');
    const midway = victim.copy();
    const { body, status } = await exchange(server.url, token, victim);
    expect(status).toBe(200);
    const bearer = String(body.token);
    for (const jar of [midway, victim.copy()]) {
      expect(jar.header()).not.toContain(bearer);
      expect(jar.header()).not.toContain(hashSecret(bearer));
      for (const value of jar.values()) {
        const client = new ApiClient(server.url, value);
        expect((await client.get('/user/profile')).status).toBe(401);
        expect((await exchange(server.url, value, jar)).status).toBe(401);
      }
      expect((await jar.visit(`${server.url}/api/user/profile`)).status).toBe(401);
      expect((await jar.visit(`${server.url}/api/repository/account`)).status).toBe(401);
      const silent = changed(await authorization(server.url, jar.copy()), { prompt: 'none' });
      const answer = await jar.visit(silent.href);
      expect(answer.headers.get('location') ?? '').not.toMatch(/[?&]code=/);
    }
  });
});

describe('[AUTH-11] sessions', () => {
  const refused = async (client: ApiClient): Promise<void> => {
    expect((await client.get('/user/profile')).status).toBe(401);
    expect((await exchange(server.url, client.token)).status).toBe(401);
  };
  const setBack = (client: ApiClient, values: { expires_at?: Date; last_used_at?: Date }) =>
    db.updateTable('sessions').set(values).where('token_hash', '=', hashSecret(client.token)).execute();

  test('a token of the choice of somebody else is never taken over', async () => {
    const fixed = 'F'.repeat(43);
    const browser = Browser.with({ token: fixed, session: fixed });
    const { body } = await exchange(server.url, await tokenOf(server.url, browser, 'fixed'), browser);
    expect(body.token).not.toBe(fixed);
    await refused(new ApiClient(server.url, fixed));
  });

  test('every sign-in has another token', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => ApiClient.signIn(server.url, 'often')));
    expect(new Set(clients.map(({ token }) => token)).size).toBe(3);
  });

  test('ends after 30 days, used or not', async () => {
    const client = await ApiClient.signIn(server.url, 'old');
    const { expires_at } = await db
      .selectFrom('sessions')
      .select('expires_at')
      .where('token_hash', '=', hashSecret(client.token))
      .executeTakeFirstOrThrow();
    const days = (expires_at.getTime() - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    await setBack(client, { expires_at: new Date(Date.now() - 1) });
    await refused(client);
  });

  test('ends when nobody used it for a week; use keeps it', async () => {
    const client = await ApiClient.signIn(server.url, 'idle');
    const week = 7 * 86_400_000;
    await setBack(client, { last_used_at: new Date(Date.now() - week + 60_000) });
    expect((await client.get('/user/profile')).status).toBe(200);
    const [shown] = await client.list('/session');
    expect(Date.now() - Date.parse(String(shown?.last_used_at))).toBeLessThan(60_000);
    await setBack(client, { last_used_at: new Date(Date.now() - week - 1000) });
    await refused(client);
  });

  test('one that is ended from another browser is refused at once', async () => {
    const [own, lost] = [
      await ApiClient.signIn(server.url, 'two browsers'),
      await ApiClient.signIn(server.url, 'two browsers'),
    ];
    const other = (await own.list('/session')).find(({ current }) => current === false);
    expect((await own.delete(`/session/${other?.id}`)).status).toBe(200);
    await refused(lost);
    expect((await own.get('/user/profile')).status).toBe(200);
    expect((await own.delete(`/session/${other?.id}`)).status).toBe(404);
  });

  test('signing out everywhere ends all of the user, and of nobody else', async () => {
    const [first, second, stranger] = [
      await ApiClient.signIn(server.url, 'everywhere'),
      await ApiClient.signIn(server.url, 'everywhere'),
      await ApiClient.signIn(server.url, 'elsewhere'),
    ];
    expect((await first.delete('/session')).status).toBe(200);
    await refused(first);
    await refused(second);
    expect((await stranger.get('/user/profile')).status).toBe(200);
  });

  test('the list tells device and times, and no address, agent or secret', async () => {
    const client = await ApiClient.signIn(server.url, 'lister');
    const [shown] = await client.list('/session');
    expect(Object.keys(shown ?? {}).toSorted()).toEqual([
      'created_at',
      'current',
      'device',
      'id',
      'last_used_at',
    ]);
    const kept = await db
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', String(shown?.id))
      .executeTakeFirstOrThrow();
    expect(kept.token_hash).toBe(hashSecret(client.token));
    expect(JSON.stringify([shown, kept])).not.toContain(client.token);
    expect(JSON.stringify(shown)).not.toContain(kept.token_hash);
    expect((await new ApiClient(server.url, String(shown?.id)).get('/user/profile')).status).toBe(401);
  });
});
