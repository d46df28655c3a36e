import { health, publicConfig } from '@cannery/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient, answerOf } from '../support/client.ts';
import { contractCalls } from './filled-calls.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

let server: RunningServer;
let ada: ApiClient;
beforeAll(async () => {
  server = await startTestServer({ IC_URL: NO_NETWORK, OPENING_BALANCE_T: '12.500000000001' });
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(() => server.close());

// Who signs out twice is signed out; that is no error.
const signedInCalls = contractCalls.filter(
  ([name, { signedIn }]) => signedIn && name !== 'POST /auth/logout',
);

describe('[API-03] without a valid token', () => {
  test.each(signedInCalls)('%s is refused', async (_name, { method, path }) => {
    const url = `${server.url}/api${path.replaceAll(/\{\w+\}/g, '1')}`;
    for (const headers of [new Headers(), new Headers({ authorization: 'Bearer nonsense' })]) {
      const { status, body } = await answerOf(await fetch(url, { method, headers }));
      expect(status).toBe(401);
      expect(Object.keys(body).toSorted()).toEqual(['code', 'error', 'message', 'next_step']);
    }
  });
});

describe('[API-04] with and without a trailing slash', () => {
  test.each([
    '/user/profile',
    '/canister/list',
    '/getInsights',
    '/transactions',
    '/deploy',
    '/deploy/repos',
    '/health',
    '/config',
  ])('%s', async (path) => {
    const [plain, slashed] = await Promise.all([ada.get(path), ada.get(`${path}/`)]);
    expect(plain.status).not.toBe(404);
    expect(slashed.status).toBe(plain.status);
    expect(slashed.body).toEqual(plain.body);
  });
});

test('[API-05] [ENT-01] GET /user/profile answers the user', async () => {
  const { body } = await ada.get('/user/profile');
  expect(body).toEqual({
    id: expect.any(String),
    name: 'ada',
    username: 'ada',
    avatar: null,
    location: null,
  });
});

test('[API-18] [ENT-06] [ACC-02] GET /getInsights/ answers balance and canister count', async () => {
  expect((await ada.get('/getInsights/')).body).toEqual({
    balance: 12_500_000_000_001,
    balance_exact: '12500000000001',
    total_canisters: 0,
    canisters: 0,
  });
});

test('[API-19] [ENT-07] [ACC-03] GET /transactions/ answers the movements of the user and of nobody else', async () => {
  const grace = await ApiClient.signIn(server.url, 'grace');
  expect(await grace.list('/transactions/')).toHaveLength(1);
  expect(await ada.list('/transactions/')).toEqual([
    {
      id: expect.any(String),
      transaction_name: 'CYCLE_DEPOSIT',
      transaction_type: 'CREDIT',
      amount: 12_500_000_000_001,
      balance_before: 0,
      balance_after: 12_500_000_000_001,
      transaction_meta: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
  ]);
});

describe('[API-20] POST /document/upload', () => {
  const module = Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]);

  test('[ENT-11] answers the identifier, which is the SHA-256 of the bytes', async () => {
    const { status, body } = await ada.upload('/document/upload', 'wasm', module);
    const identifier = '93a44bbb96c751218e4c00d479e4c14358122a389acca16205b1e4d0dc5f9476';
    expect(status).toBe(200);
    expect(body).toEqual({ data: { identifier }, identifier, warnings: [expect.any(String)] });
    const again = await ada.upload('/document/upload', 'wasm', module);
    expect([again.status, again.body], 'sent again it is the same document').toEqual([200, body]);
  });

  test('what two users send is a document of each', async () => {
    const henry = await ApiClient.signIn(server.url, 'henry');
    for (const client of [ada, henry]) {
      const wasm = await client.uploadWasm(module);
      const dapp = { name: 'Peaches', git_url: 'https://example.org/peaches', description: 'Peaches.' };
      const { status, body } = await client.post('/marketplace/submit', { ...dapp, version: '1.0.0', wasm });
      expect(status, body.error).toBe(200);
    }
  });

  test('[VAL-10] refuses what is not a module', async () => {
    const { status, body } = await ada.upload('/document/upload', 'wasm', Buffer.from('<html></html>'));
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Invalid file format. Only WASM allowed.', code: 'invalid_wasm' });
  });

  test('[API-02] takes the field wasm of a multipart form, nothing else', async () => {
    expect((await ada.upload('/document/upload', 'file', module)).body).toMatchObject({
      code: 'invalid_input',
    });
    expect((await ada.post('/document/upload', {})).body).toMatchObject({ code: 'invalid_input' });
  });

  test('refuses a file above the limit of the network', async () => {
    const large = Buffer.concat([module, Buffer.alloc(100 * 1024 * 1024)]);
    const { status, body } = await ada.upload('/document/upload', 'wasm', large);
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
  });
});

describe('refused input', () => {
  test.each([
    ['/canister/start', {}],
    ['/canister/topup', { canister_id: 'x', amount: '5' }],
    ['/canister/topup', { canister_id: 'x' }],
    ['/canister/install', { canister_id: 'x', identifier: 'y', mode: 'replace' }],
    ['/canister/create', { name: 5 }],
  ])('[OP-52] %s with %j is answered by 400 with error and message', async (path, input) => {
    const { status, body } = await ada.post(path, input);
    expect(status).toBe(400);
    expect(body.code).toBe('invalid_input');
    expect(body.message).toBe(body.error);
  });

  test.each([0.009, -1, 10.01, 1e30])('[VAL-06] a top-up of %d T is refused', async (amount) => {
    const { status, body } = await ada.post('/canister/topup', { canister_id: 'x', amount });
    expect(status).toBe(400);
    expect(body.error).toBe('Invalid Amount');
  });

  test.each(['{', '[1', '"x'])('a body that is not JSON is answered by 400: %s', async (text) => {
    const response = await fetch(`${server.url}/api/canister/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
      body: text,
    });
    expect((await answerOf(response)).body).toMatchObject({ code: 'invalid_input' });
  });
});

describe('[AUTH-16] an id that is unknown', () => {
  test.each([
    ['GET', '/canister/status/aaaaa-aa', undefined],
    ['GET', '/canister/status/aaaaa-aa/?real_time=true', undefined],
    ['GET', '/statuslogs/aaaaa-aa', undefined],
    ['POST', '/canister/start', { canister_id: 'aaaaa-aa' }],
    ['POST', '/canister/stop', { canister_id: 'aaaaa-aa' }],
    ['POST', '/canister/delete', { canister_id: "' or 1=1 --" }],
    ['POST', '/canister/topup', { canister_id: 'aaaaa-aa', amount: 1 }],
    ['POST', '/canister/create', { name: 'x', registry: 'none' }],
    ['POST', '/canister/install', { canister_id: 'aaaaa-aa', identifier: '0'.repeat(64) }],
  ])('%s %s is answered by 404', async (method, path, body) => {
    const answer = method === 'GET' ? await ada.get(path) : await ada.post(path, body);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ code: 'not_found', error: expect.stringMatching(/not found\.$/) });
  });
});

test('the character NUL, which no text of ours needs, breaks nothing', async () => {
  expect((await ada.get('/canister/status/a%00b')).status).toBe(404);
  expect((await ada.post('/canister/start', { canister_id: 'a\0b' })).status).toBe(404);
});

describe('without a network', () => {
  test('health answers 503 and says what is missing', async () => {
    const { status, body } = await ada.get('/health');
    expect(status).toBe(503);
    expect(health.parse(body)).toMatchObject({ status: 'degraded', database: true, network: false });
  });

  test('creating is refused with a next step and costs nothing', async () => {
    const { status, body } = await ada.post('/canister/create', { name: 'x' });
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'network_unavailable',
      next_step: expect.stringContaining('Try again'),
    });
    expect((await ada.get('/getInsights/')).body.balance_exact).toBe('12500000000001');
  });
});

test('[API-01] /config tells the console its addresses and no secret', async () => {
  const { body } = await ada.get('/config');
  expect(publicConfig.parse(body)).toMatchObject({
    product_name: 'Cannery',
    network_url: NO_NETWORK,
    network_is_local: true,
    delete_returns_cycles: true,
    sign_in: { provider: 'google', embedded: true },
    git_provider: { embedded: true },
  });
});

describe('every answer', () => {
  test('carries the security headers', async () => {
    const data = ['/api/health', '/api/nothing'];
    for (const path of ['/ics/dashboard', '/oidc/.well-known/openid-configuration', ...data]) {
      const { headers } = await fetch(server.url + path);
      const policy = headers.get('content-security-policy') ?? '';
      if (data.includes(path)) {
        expect(policy, path).toBe("default-src 'none';base-uri 'none';frame-ancestors 'none'");
      } else {
        expect(policy, path).toContain("default-src 'self'");
        expect(policy, path).toContain("frame-ancestors 'none'");
        expect(policy, path).not.toContain('unsafe');
        expect(policy, path).toMatch(/require-trusted-types-for 'script';trusted-types 'none'/);
        expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
      }
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    }
  });

  test('to an unknown address below /api is a JSON error', async () => {
    const { status, body } = await ada.get('/no/such/call');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 'not_found' });
  });
});

test('the API is documented: OpenAPI document and a page for people', async () => {
  const document = await answerOf(await fetch(`${server.url}/api/openapi.json`));
  expect(Object.keys(document.body.paths as object)).toContain('/canister/status/{id}');
  const page = await fetch(`${server.url}/api-docs/`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'sha256-[^']+'/);
  const text = await page.text();
  expect(text).toContain('/api/openapi.json');
  const script = new URL(/<script[^>]*\ssrc="([^"]+)"/.exec(text)?.[1] ?? '', `${server.url}/api-docs/`);
  const library = await fetch(script);
  expect(library.status).toBe(200);
  expect(library.headers.get('content-type')).toContain('javascript');
  expect((await fetch(`${server.url}/api-docs/no-such-file`)).status).toBe(404);
});
