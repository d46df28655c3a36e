import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient, answerOf, Browser, exchange } from '../support/client.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer({ IC_URL: NO_NETWORK });
});
afterAll(() => server.close());

describe('[API-37] the way to the identity provider and back', () => {
  test.each(['/api/auth/google/', '/api/auth/google', '/auth/google/', '/auth/google'])(
    '[AUTH-02] %s leads to the provider with code flow, PKCE, state and nonce',
    async (path) => {
      const response = await fetch(server.url + path, { redirect: 'manual' });
      const url = new URL(response.headers.get('location') ?? '');
      expect(url.origin + url.pathname).toBe(`${server.url}/oidc/auth`);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        redirect_uri: `${server.url}/api/auth/google/callback`,
      });
      for (const name of ['state', 'nonce', 'code_challenge']) {
        expect(url.searchParams.get(name)?.length).toBeGreaterThanOrEqual(43);
      }
      expect(response.headers.get('set-cookie')).toMatch(
        /^sign-in=[\w-]{43}; Path=\/api\/auth; Max-Age=900; HttpOnly; SameSite=Lax$/,
      );
    },
  );

  test('it ends on /login with a token that the exchange turns into a bearer token', async () => {
    const browser = new Browser();
    const end = await browser.signIn(server.url, '  ada ');
    expect(end.origin + end.pathname).toBe(`${server.url}/login`);
    const token = end.searchParams.get('token') ?? '';
    const { status, body, headers } = await exchange(server.url, token, browser);
    expect(status).toBe(200);
    expect(headers.getSetCookie(), 'a marker that says nothing, and the end of the sign-in cookie').toEqual([
      `token=1; Path=/; Max-Age=${30 * 86_400}; SameSite=Lax`,
      'sign-in=; Path=/api/auth; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    const profile = await new ApiClient(server.url, String(body.token)).get('/user/profile');
    expect(profile.body).toMatchObject({ username: 'ada', name: 'ada' });
  });

  test('the sign-in token works once', async () => {
    const browser = new Browser();
    const end = await browser.signIn(server.url, 'once');
    const token = end.searchParams.get('token') ?? '';
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(server.url, token, browser)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401]);
    expect((await exchange(server.url, token, browser)).body).toMatchObject({ code: 'sign_in_failed' });
  });

  test('a bearer token in its place is answered as it is', async () => {
    const { token } = await ApiClient.signIn(server.url, 'bearer');
    const { body, headers } = await exchange(server.url, token);
    expect(body).toEqual({ token });
    expect(headers.getSetCookie(), 'no sign-in').toEqual([]);
  });

  test('an invented token is refused', async () => {
    expect((await exchange(server.url, 'x'.repeat(43))).status).toBe(401);
  });

  test('the same person comes back to the same account, whatever the case', async () => {
    const first = await (await ApiClient.signIn(server.url, 'Grace')).get('/user/profile');
    const second = await (await ApiClient.signIn(server.url, 'gRACE')).get('/user/profile');
    expect(second.body.id).toBe(first.body.id);
    expect(second.body.username).toBe('Grace');
  });

  test.each([
    ['Ada Lovelace', 'Ada Lovelace', 'Ada-Lovelace'],
    ['  Zoë   Ångström ', 'Zoë Ångström', 'Zoe-A-ngstro-m'],
    ['王小明', '王小明', 'user'],
    ['login', 'login', 'user-2'],
    ['<b>Eve</b>', '<b>Eve</b>', 'b-Eve-b'],
  ])('%j is a name like any other; a username is made of it', async (typed, name, username) => {
    const { body } = await (await ApiClient.signIn(server.url, typed)).get('/user/profile');
    expect(body).toMatchObject({ name, username });
    const again = await ApiClient.signIn(server.url, typed.toUpperCase());
    expect((await again.get('/user/profile')).body.id).toBe(body.id);
  });

  test('cancelling ends on /login with a plain sentence', async () => {
    const browser = new Browser();
    const { url } = await browser.follow(`${server.url}/api/auth/google/`);
    const end = await browser.follow(`${url.href}/cancel`, {
      method: 'POST',
      body: new URLSearchParams({ login: '' }),
    });
    expect(end.url.href).toBe(`${server.url}/login?error=The+sign-in+was+cancelled.`);
  });

  test('a start on another host name of this computer moves to the public one', async () => {
    const response = await fetch(`${server.url.replace('localhost', '127.0.0.1')}/api/auth/google/`, {
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBe(`${server.url}/api/auth/google/`);
  });
});

describe('attacks on the sign-in', () => {
  async function callbackAddress(browser: Browser, login: string): Promise<string> {
    const { url } = await browser.follow(`${server.url}/api/auth/google/`);
    let response = await browser.visit(url.href, { method: 'POST', body: new URLSearchParams({ login }) });
    for (;;) {
      const location = new URL(response.headers.get('location') ?? '', server.url).href;
      if (location.includes('/callback?')) return location;
      response = await browser.visit(location);
    }
  }

  test("another browser cannot end somebody's sign-in, and the attempt stays good for its own", async () => {
    const victim = new Browser();
    const callback = await callbackAddress(victim, 'victim');
    for (const stranger of [new Browser(), await withOwnAttempt()]) {
      const { url } = await stranger.follow(callback);
      expect(url.searchParams.get('token')).toBeNull();
      expect(url.searchParams.get('error')).toMatch(/not started in this browser/);
    }
    expect((await victim.follow(callback)).url.searchParams.get('token')).toBeTypeOf('string');
  });

  async function withOwnAttempt(): Promise<Browser> {
    const browser = new Browser();
    await browser.follow(`${server.url}/api/auth/google/`);
    return browser;
  }

  test('a callback works once', async () => {
    const browser = new Browser();
    const callback = await callbackAddress(browser, 'replay');
    expect((await browser.follow(callback)).url.searchParams.has('token')).toBe(true);
    expect((await browser.follow(callback)).url.searchParams.has('token')).toBe(false);
  });

  test.each(['state', 'code'])('a changed %s is refused', async (name) => {
    const browser = new Browser();
    const callback = new URL(await callbackAddress(browser, 'mallory'));
    callback.searchParams.set(name, 'x'.repeat(43));
    const { url } = await browser.follow(callback.href);
    expect(url.searchParams.has('token')).toBe(false);
    expect(url.searchParams.get('error')).toBeTypeOf('string');
  });

  test('the page is only shown to the browser that began', async () => {
    const { url } = await new Browser().follow(`${server.url}/api/auth/google/`);
    const { url: end } = await new Browser().follow(url.href);
    expect(end.pathname).toBe('/login');
    expect(end.searchParams.get('error')).toBeTypeOf('string');
  });
});

describe('another name for this computer', () => {
  /** Sends a request under a name of the caller's choice, as a browser does that was led here by a foreign name. */
  function under(host: string, path: string, method = 'GET'): Promise<{ status: number; location: string }> {
    const { port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (answer) => {
        answer.resume();
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '' }),
        );
      });
      sent.on('error', reject);
      sent.end();
    });
  }
  const authorize = `/oidc/auth?client_id=cannery-console&response_type=code&scope=openid&state=${'s'.repeat(43)}&code_challenge=${'c'.repeat(43)}&code_challenge_method=S256`;

  test.each([
    'rebound.example',
    'rebound.example:4000',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
  ])('the sign-in does not answer under the name %j', async (host) => {
    expect((await under(host, '/oidc/.well-known/openid-configuration')).status).toBe(421);
    expect((await under(host, authorize)).status).toBe(421);
    expect((await under(host, '/sign-in/x')).status).toBe(421);
    expect((await under(host, '/sign-in/x', 'POST')).status).toBe(421);
    expect((await under(host, '/api/auth/google/')).status).toBe(421);
  });

  test('it does under the names that lead to this computer from everywhere', async () => {
    for (const host of ['localhost', '127.0.0.1:4000', '[::1]:4000', 'console.localhost'])
      expect((await under(host, '/oidc/.well-known/openid-configuration')).status, host).toBe(200);
  });
});

describe('the sign-in page', () => {
  test('has the field, the buttons, two scripts of the console and none of its own, and a policy that allows its style by hash only', async () => {
    const { response } = await new Browser().follow(`${server.url}/api/auth/google/`);
    const page = await response.text();
    expect(page).toMatch(/<input[^>]*\sname="login"[^>]*type="text"/);
    expect(page).toMatch(/<button[^>]*>Sign in<\/button>/);
    expect(page).toMatch(/<button[^>]*>Cancel<\/button>/);
    expect(page.match(/<script[\s\S]*?<\/script>/gi)).toEqual([
      '<script src="/boot.js"></script>',
      '<script src="/sign-in.js" defer></script>',
    ]);
    expect(page).not.toMatch(/\son\w+=|javascript:/i);
    const policy = response.headers.get('content-security-policy') ?? '';
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  test('[AUTH-02] shows the reason again for a name that cannot be one, with the text kept and escaped', async () => {
    const browser = new Browser();
    const { url } = await browser.follow(`${server.url}/api/auth/google/`);
    const typed = `"><b>${'x'.repeat(80)}`;
    const response = await browser.visit(url.href, {
      method: 'POST',
      body: new URLSearchParams({ login: typed }),
    });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toMatch(/role="alert">This name is too long/);
    expect(page).toContain('value="&quot;&gt;&lt;b&gt;xxx');
    const { url: end } = await browser.follow(url.href, {
      method: 'POST',
      body: new URLSearchParams({ login: 'fine' }),
    });
    expect(end.searchParams.has('token')).toBe(true);
  });
});

describe('[AUTH-13] signing out', () => {
  test('ends the session at once and expires the cookie', async () => {
    const client = await ApiClient.signIn(server.url, 'leaver');
    const { status, headers } = await client.post('/auth/logout', {});
    expect(status).toBe(200);
    expect(headers.get('set-cookie')).toMatch(/^token=; .*Max-Age=0/);
    expect((await client.get('/user/profile')).status).toBe(401);
    expect((await exchange(server.url, client.token)).status).toBe(401);
  });

  test('leaves other sessions of the user alone', async () => {
    const one = await ApiClient.signIn(server.url, 'twice');
    const other = await ApiClient.signIn(server.url, 'twice');
    await one.post('/auth/logout', {});
    expect((await other.get('/user/profile')).status).toBe(200);
  });
});

test('[AUTH-11] a tampered, cut, foreign or missing token is answered by 401 without data', async () => {
  const { token } = await ApiClient.signIn(server.url, 'holder');
  const flipped = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  for (const header of [
    undefined,
    '',
    'Bearer',
    `Bearer ${flipped}`,
    `Bearer ${token.slice(0, 42)}`,
    `Bearer ${token}x`,
    `Basic ${token}`,
    token,
  ]) {
    const response = await fetch(`${server.url}/api/user/profile`, {
      headers: header === undefined ? {} : { authorization: header },
    });
    const { status, body } = await answerOf(response);
    expect(status, header).toBe(401);
    expect(body).toEqual({
      error: expect.any(String),
      message: expect.any(String),
      code: 'unauthenticated',
      next_step: 'Sign in again.',
    });
  }
});
