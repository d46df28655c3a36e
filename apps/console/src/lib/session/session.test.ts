import { userEndpoints } from '@cannery/contract';
import { expect, test } from 'vitest';
import { startTestServer, type SeenRequest, type TestServer } from '../../testing/http-server.ts';
import { createApiClient } from '../api/api-client.ts';
import { authPhase, AuthStore } from './auth-state.ts';
import { Session } from './session.ts';
import type { Theme } from '../browser/theme.ts';

const user = { id: '1', name: 'Ada', username: 'ada', avatar: null, location: null };
const refused = {
  error: 'The token is not valid.',
  message: 'The token is not valid.',
  code: 'unauthenticated',
  next_step: 'Sign in again.',
};

/** The service: one bearer token is good, one single-use token can be exchanged for it. */
function service({ method, url, authorization, body }: SeenRequest) {
  if (url === '/api/auth/exchange') {
    const { token } = JSON.parse(body) as { token: string };
    if (token === 'good') return { body: { token } };
    return token === 'once' ? { body: { token: 'good' } } : { status: 401, body: refused };
  }
  if (authorization !== 'Bearer good') return { status: 401, body: refused };
  return method === 'GET' ? { body: user } : { body: { message: 'ok' } };
}

/** Cookies of the path `/`, where the service sets them, as a document of the console sees them. */
class CookieJar {
  readonly #cookies: Map<string, string>;

  constructor(cookies: Readonly<Record<string, string>>) {
    this.#cookies = new Map(Object.entries(cookies));
  }

  get cookie(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ');
  }

  set cookie(text: string) {
    const [pair = '', ...attributes] = text.split(';').map((part) => part.trim().toLowerCase());
    const [name = '', value = ''] = pair.split('=');
    // Without a path it would be a cookie of the folder of the page.
    if (!attributes.includes('path=/')) return;
    if (attributes.includes('max-age=0')) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

function visit(server: TestServer, stored: { token?: string; theme?: Theme } = {}) {
  const browser = {
    token: stored.token,
    theme: stored.theme ?? ('default' as Theme),
    cookies: new CookieJar({ token: '1', other: 'kept' }),
    themesKept: 0,
    leaving: false,
    reloads: 0,
  };
  const auth = new AuthStore();
  const api = createApiClient({ base: server.base, readToken: () => browser.token });
  const session = new Session({
    api,
    apiWith: (token) => createApiClient({ base: server.base, readToken: () => token }),
    auth,
    token: {
      read: () => browser.token,
      write: (token) => {
        browser.token = token;
      },
      clear: () => {
        browser.token = undefined;
      },
    },
    theme: {
      write: (theme) => {
        browser.theme = theme;
      },
      keep: () => {
        browser.themesKept += 1;
      },
    },
    page: browser.cookies,
    leaving: () => browser.leaving,
    reload: () => {
      browser.reloads += 1;
    },
  });
  return { session, auth, browser, api };
}

test('[AUTH-09] without a stored token the visitor is signed out and no call is made', async () => {
  await using server = await startTestServer(service);
  const { session, auth } = visit(server);
  await session.start();
  expect(authPhase(auth.get())).toBe('not signed in');
  expect(server.seen).toEqual([]);
});

test('[AUTH-12] a stored token that the profile call confirms signs in and keeps a chosen theme', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server, { token: 'good', theme: 'dark' });
  await session.start();
  expect(authPhase(auth.get())).toBe('signed in');
  expect(auth.get().currentUser).toEqual(user);
  // What is in use is stored as well, where nothing was.
  expect(browser).toMatchObject({ token: 'good', theme: 'dark', themesKept: 1 });
});

test("[AUTH-12] a fresh sign-in stores the bearer token and the theme 'default'", async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server, { theme: 'dark' });
  await session.start('once');
  expect(authPhase(auth.get())).toBe('signed in');
  expect(browser).toMatchObject({ token: 'good', theme: 'default' });
});

test('[AUTH-11] a refused profile call signs out and leaves no token', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server, { token: 'old' });
  await session.start();
  expect(authPhase(auth.get())).toBe('signed out');
  expect(browser.token).toBeUndefined();
});

test('[AUTH-11] a profile call that fails in any other way signs out too', async () => {
  await using server = await startTestServer(() => ({ status: 500, body: 'broken' }));
  const { session, auth, browser } = visit(server, { token: 'good' });
  await session.start();
  expect(authPhase(auth.get())).toBe('signed out');
  expect(browser.token).toBeUndefined();
});

test('[ERR-14] [AUTH-04] a refused sign-in token leaves no token and stores the message', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server);
  await session.start('used up');
  expect(auth.get()).toMatchObject({ currentUser: null, isFetching: false, loadingInit: false });
  expect(auth.get().errorMessage).toBe('The token is not valid. Sign in again.');
  expect(browser.token).toBeUndefined();
});

test('[AUTH-13] sign-out clears token and cookie, and no later call carries the token', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser, api } = visit(server, { token: 'good' });
  await session.start();
  const farewell = session.signOut();
  // At once, however long the service takes to answer.
  expect(authPhase(auth.get())).toBe('signed out');
  expect(browser.token).toBeUndefined();
  expect(browser.cookies.cookie).toBe('other=kept');
  await farewell;
  expect(server.seen.at(-1)).toMatchObject({ url: '/api/auth/logout', authorization: 'Bearer good' });
  await expect(api.call(userEndpoints.profile, {})).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(server.seen.at(-1)).toMatchObject({ url: '/api/user/profile', authorization: undefined });
});

test('[AUTH-13] sign-out clears token and cookie while the service cannot be reached', async () => {
  const gone = await startTestServer(service);
  const { session, auth, browser } = visit(gone, { token: 'good' });
  await session.start();
  await gone[Symbol.asyncDispose]();
  await session.signOut();
  expect(authPhase(auth.get())).toBe('signed out');
  expect(browser.token).toBeUndefined();
  expect(browser.cookies.cookie).toBe('other=kept');
});

/** A service of the specification: it has no call that exchanges tokens. */
const plain = (request: SeenRequest) =>
  request.url === '/api/auth/exchange' ? { status: 404, body: {} } : service(request);

test.each([
  ['a bearer token', service],
  ['what a service that exchanges nothing hands over', plain],
])('[AUTH-03] %s signs in once the visitor has said who they are', async (_name, answer) => {
  await using server = await startTestServer(answer);
  const { session, auth, browser } = visit(server);
  await session.start('good');
  expect(authPhase(auth.get()), 'an address signs nobody in').toBe('not signed in');
  expect(auth.get().asksFor).toEqual(user);
  expect(browser.token).toBeUndefined();

  await session.confirm();
  expect(authPhase(auth.get())).toBe('signed in');
  expect(auth.get()).toMatchObject({ currentUser: user, asksFor: null });
  expect(browser).toMatchObject({ token: 'good', theme: 'default' });
});

test.each([
  ['a bearer token', service],
  ['what a service that exchanges nothing hands over', plain],
])('[AUTH-03] %s is forgotten when the visitor is somebody else', async (_name, answer) => {
  await using server = await startTestServer(answer);
  const { session, auth, browser } = visit(server);
  await session.start('good');
  session.decline();
  expect(auth.get()).toMatchObject({ currentUser: null, asksFor: null });
  await session.confirm();
  expect(auth.get().currentUser, 'nothing is left to confirm').toBeNull();
  expect(browser.token).toBeUndefined();
});

test('[AUTH-04] a made-up bearer token is refused without a question', async () => {
  await using server = await startTestServer(plain);
  const { session, auth, browser } = visit(server);
  await session.start('made up');
  expect(authPhase(auth.get())).toBe('signed out');
  expect(auth.get()).toMatchObject({
    asksFor: null,
    errorMessage: 'The token is not valid. Sign in again.',
  });
  expect(browser.token).toBeUndefined();
});

test('[AUTH-03] a session that began in another tab while the visitor was asked is kept', async () => {
  const seen = (request: SeenRequest) =>
    request.authorization === 'Bearer theirs' && request.url === '/api/user/profile'
      ? { body: { ...user, name: 'Mallory' } }
      : request.url === '/api/auth/exchange'
        ? { body: { token: 'theirs' } }
        : service(request);
  await using server = await startTestServer(seen);
  const { session, auth, browser } = visit(server);
  await session.start('theirs');
  expect(auth.get().asksFor?.name).toBe('Mallory');
  browser.token = 'good';
  await session.confirm();
  expect(auth.get().currentUser?.name).toBe('Ada');
  expect(browser.token).toBe('good');
});

test('[AUTH-03] a handed-over token replaces no running session, whatever it is', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server, { token: 'good', theme: 'dark' });
  await session.start('once');
  expect(authPhase(auth.get())).toBe('signed in');
  expect(browser).toMatchObject({ token: 'good', theme: 'dark' });
  expect(server.seen.map(({ url }) => url)).toEqual(['/api/user/profile']);
});

test('[AUTH-03] it does replace one that is over', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server, { token: 'old' });
  await session.start('once');
  expect(authPhase(auth.get())).toBe('signed in');
  expect(browser.token).toBe('good');
});

test('signing out everywhere forgets the session once the service has ended all, and not before', async () => {
  await using server = await startTestServer((request) =>
    request.method === 'DELETE' && request.authorization === 'Bearer good'
      ? { body: { message: 'ok' } }
      : service(request),
  );
  const { session, auth, browser } = visit(server, { token: 'good' });
  await session.start();
  await session.signOutEverywhere();
  expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', url: '/api/session' });
  expect(authPhase(auth.get())).toBe('signed out');
  expect(browser.token).toBeUndefined();
  expect(browser.cookies.cookie).toBe('other=kept');

  const broken = await startTestServer(service);
  const other = visit(broken, { token: 'good' });
  await other.session.start();
  await broken[Symbol.asyncDispose]();
  await expect(other.session.signOutEverywhere()).rejects.toMatchObject({ code: 'unreachable' });
  expect(authPhase(other.auth.get())).toBe('signed in');
});

test('[AUTH-18] starting twice checks the session once and never ends a valid one', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server, { token: 'good' });
  await Promise.all([session.start(), session.start()]);
  await session.start();
  expect(server.seen.map(({ url }) => url)).toEqual(['/api/user/profile']);
  expect(authPhase(auth.get())).toBe('signed in');
  expect(browser.token).toBe('good');
});

test('a token that the service stops taking ends the session with a message', async () => {
  await using server = await startTestServer(service);
  const { session, auth } = visit(server, { token: 'good' });
  await session.start();
  session.expire();
  expect(authPhase(auth.get())).toBe('signed out');
  expect(auth.get().errorMessage).toBe('Your session has ended. Sign in again.');
});

test.each(['follow', 'end'] as const)(
  '%s: a tab whose session another tab has replaced is loaded again, and leaves the other its token',
  async (way) => {
    await using server = await startTestServer(service);
    const { session, auth, browser } = visit(server, { token: 'good' });
    await session.start();
    session.follow();
    expect(browser.reloads, 'nothing has changed').toBe(0);
    expect(session.isOwn()).toBe(true);
    browser.token = "somebody else's";
    expect(session.isOwn()).toBe(false);
    session[way]();
    expect(browser).toMatchObject({ reloads: 1, token: "somebody else's" });
    expect(authPhase(auth.get())).toBe('signed in');

    browser.token = undefined;
    session[way]();
    expect(browser.reloads).toBe(1);
    expect(authPhase(auth.get())).toBe('signed out');
    browser.token = "somebody else's";
    session[way]();
    expect(browser.reloads, 'a page of nobody shows nothing of anybody').toBe(1);
  },
);

test('a session that another tab has replaced while it was checked is not taken for that of the other', async () => {
  let replace = (): void => undefined;
  await using server = await startTestServer((request) => {
    replace();
    return service(request);
  });
  const { session, browser } = visit(server, { token: 'good' });
  replace = () => {
    browser.token = "somebody else's";
  };
  await session.start();
  session.follow();
  expect(browser.reloads).toBe(1);
});

test('a session that the service has ended ends here', async () => {
  await using server = await startTestServer(service);
  const { session, auth, browser } = visit(server, { token: 'good' });
  await session.start();
  session.end();
  expect(authPhase(auth.get())).toBe('signed out');
  expect(browser.token).toBeUndefined();
});

test('a page that is left while its session is checked keeps the token for the next one', async () => {
  const gone = await startTestServer(service);
  const { session, auth, browser } = visit(gone, { token: 'good' });
  await gone[Symbol.asyncDispose]();
  browser.leaving = true;
  await session.start();
  expect(browser.token).toBe('good');
  expect(browser.cookies.cookie).toBe('token=1; other=kept');
  expect(authPhase(auth.get())).toBe('loading at start');
});
