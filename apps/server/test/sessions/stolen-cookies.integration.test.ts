import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient, Browser, exchange } from '../support/client.ts';
import { createEchoing } from './echoing-canister.ts';
import { startTestServer } from '../support/server.ts';

let server: RunningServer;
let canister: string;
/** What the browser of a signed-in visitor keeps for the host, whatever the port: midway in the sign-in, and after. */
let jars: Readonly<Record<string, Browser>>;
let bearer: string;
/** The token of a sign-in whose browser has not used it yet. */
let unused: string;

beforeAll(async () => {
  server = await startTestServer();
  canister = await createEchoing(await ApiClient.signIn(server.url, 'mallory'));
  const midway = new Browser();
  const { url } = await midway.follow(`${server.url}/api/auth/google/`);
  expect(url.pathname).toMatch(/^\/sign-in\//);
  const arrived = new Browser();
  unused = (await arrived.signIn(server.url, 'victim')).searchParams.get('token') ?? '';
  const signedIn = new Browser();
  const token = (await signedIn.signIn(server.url, 'victim')).searchParams.get('token') ?? '';
  bearer = String((await exchange(server.url, token, signedIn)).body.token);
  expect((await new ApiClient(server.url, bearer).get('/user/profile')).status).toBe(200);
  jars = { 'in the middle of the sign-in': midway, 'back with a token': arrived, 'signed in': signedIn };
});
afterAll(() => server.close());

interface Visit {
  readonly host: (port: string) => string;
  readonly path: (id: string) => string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
}

const query = (id: string) => `/?canisterId=${id}`;
const navigation = {
  accept: 'text/html',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
  'sec-fetch-site': 'same-site',
};
/** Ways to bring the browser of somebody on `localhost` to a canister; all send the cookies of that host. */
const visits: Readonly<Record<string, Visit>> = {
  'a link': { host: (port) => `localhost:${port}`, path: query, headers: navigation },
  'a fetch of a page': {
    host: (port) => `localhost:${port}`,
    path: query,
    headers: { accept: '*/*', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
  },
  'an old browser': { host: (port) => `localhost:${port}`, path: query },
  'upper case': { host: (port) => `LOCALHOST:${port}`, path: query },
  'a dot behind': { host: (port) => `localhost.:${port}`, path: query },
  'an address': { host: (port) => `127.0.0.1:${port}`, path: query },
  'an address of version 6': { host: (port) => `[::1]:${port}`, path: query },
  'a form': {
    host: (port) => `localhost:${port}`,
    path: query,
    method: 'POST',
    headers: { ...navigation, 'content-type': 'application/x-www-form-urlencoded' },
  },
  'a file of a page': {
    host: (port) => `localhost:${port}`,
    path: () => '/api/auth/callback',
    headers: { accept: 'image/*' },
  },
  'the path of the sign-in cookie': {
    host: (port) => `localhost:${port}`,
    path: (id) => `/api/auth/google/callback?canisterId=${id}`,
  },
  'the path of the provider': {
    host: (port) => `localhost:${port}`,
    path: (id) => `/oidc/auth?canisterId=${id}`,
  },
};

async function visit({ host, path, headers, method = 'GET' }: Visit, jar: Browser): Promise<string> {
  const { port } = new URL(server.networkUrl);
  const own = host(port);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: path(canister),
        method,
        headers: {
          host: own,
          referer: `http://${own}/?canisterId=${canister}`,
          cookie: jar.header(),
          ...headers,
        },
      },
      (answer) => {
        let text = `${answer.statusCode} ${JSON.stringify(answer.rawHeaders)}\n`;
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

describe('[OP-05] a page of a canister on the host of the console', () => {
  test('really sees what its visitors send, on its own host', async () => {
    const own = { host: (port: string) => `${canister}.raw.localhost:${port}`, path: () => '/' };
    expect(await visit(own, Browser.with({ seen: 'yes' }))).toContain('cookie: seen=yes');
  });

  test.each(Object.entries(visits))(
    'reached by %s gets none of the cookies, and sets none',
    async (_name, way) => {
      for (const [when, jar] of Object.entries(jars)) {
        const answer = await visit(way, jar);
        expect(answer.toLowerCase(), when).not.toContain('cookie: ');
        for (const value of jar.values().filter((one) => one.length > 8))
          expect(answer, when).not.toContain(value);
        expect(answer, when).not.toContain('PLANTED');
      }
    },
  );

  test('could do nothing with them if it got them all', async () => {
    for (const [when, jar] of Object.entries(jars)) {
      expect(jar.header(), when).not.toContain(bearer);
      for (const value of jar.values()) {
        const thief = new ApiClient(server.url, value);
        expect((await thief.get('/user/profile')).status, when).toBe(401);
        expect((await thief.get('/session')).status, when).toBe(401);
        expect((await exchange(server.url, value)).status, when).toBe(401);
      }
      const own = await jar.copy().visit(`${server.url}/api/user/profile`);
      expect(own.status, when).toBe(401);
    }
    // The single-use token is in no cookie; with it alone nothing opens either, and it stays good for its browser.
    expect((await exchange(server.url, unused)).status).toBe(401);
    expect((await exchange(server.url, unused, jars['back with a token'])).status).toBe(200);
  });
});
