import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { NO_NETWORK, startTestServer } from '../support/server.ts';

const SCRIPT = 'export const text = "a line of script";\n'.repeat(200);

/** What the build has made of it, by means that the server does not use. */
const COMPRESSED = brotliCompressSync(SCRIPT, { params: { [constants.BROTLI_PARAM_LGWIN]: 10 } });

let folder: string;
let server: RunningServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-console-'));
  const dist = join(folder, 'dist');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await mkdir(join(dist, 'candid'));
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>The console</title>');
  await writeFile(join(dist, 'candid', 'index.html'), '<!doctype html><title>Candid</title>');
  await writeFile(join(dist, 'assets', 'index-C0ffee.js'), SCRIPT);
  await writeFile(join(dist, 'assets', 'large-C0ffee.js'), SCRIPT);
  await writeFile(join(dist, 'assets', 'large-C0ffee.js.br'), COMPRESSED);
  await writeFile(join(dist, 'assets', 'font-C0ffee.woff2'), Buffer.alloc(5000, 'font'));
  await writeFile(join(dist, 'favicon.ico'), 'icon');
  await writeFile(join(dist, '.env'), 'SECRET=1');
  await writeFile(join(folder, 'outside.js'), 'secret');
  server = await startTestServer({ IC_URL: NO_NETWORK, consoleDir: dist });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function startDisposable(options: Parameters<typeof startTestServer>[0]) {
  const started = await startTestServer(options);
  return { url: started.url, [Symbol.asyncDispose]: () => started.close() };
}

/** A built console whose pages are all this one; it goes with the folder of these tests. */
async function builtWith(page: string): Promise<string> {
  const dist = await mkdtemp(join(folder, 'elsewhere-'));
  await mkdir(join(dist, 'candid'));
  for (const name of ['index.html', 'candid/index.html']) await writeFile(join(dist, name), page);
  return dist;
}

/** The path as it is, which fetch would tidy up, and the body as it came over the wire. */
function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('files with a hash in their name are kept for ever, all others are asked for again', async () => {
  const asset = await get('/assets/index-C0ffee.js');
  expect(asset.status).toBe(200);
  expect(asset.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  for (const path of ['/', '/favicon.ico', '/candid/', '/candid', '/ics/dashboard'])
    expect((await get(path)).headers['cache-control'], path).toBe('no-cache');
});

test('what has not changed is not sent again; what has is', async () => {
  const first = await get('/');
  const tag = String(first.headers.etag);
  const again = await get('/', { 'if-none-match': tag });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  await writeFile(join(folder, 'dist', 'index.html'), '<!doctype html><title>The new console</title>');
  const changed = await get('/', { 'if-none-match': tag });
  expect(changed.status).toBe(200);
  expect(changed.body.toString()).toContain('The new console');
});

test('text is compressed in the coding the browser takes', async () => {
  const path = '/assets/index-C0ffee.js';
  const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(brotli.body.length).toBeLessThan(SCRIPT.length / 10);
  expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
  const zipped = await get(path, { 'accept-encoding': 'br;q=0, gzip' });
  expect(gunzipSync(zipped.body).toString()).toBe(SCRIPT);
  const plain = await get(path, { 'accept-encoding': 'identity' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body.toString()).toBe(SCRIPT);
  const font = await get('/assets/font-C0ffee.woff2', { 'accept-encoding': 'br' });
  expect(font.headers['content-encoding']).toBeUndefined();
  const asked = await get(path, { 'accept-encoding': 'br' }, 'HEAD');
  expect(asked.body.length).toBe(0);
  expect(asked.headers['content-length']).toBe(String(brotli.body.length));
});

test('what the build has compressed is sent as it is, to who takes it', async () => {
  const path = '/assets/large-C0ffee.js';
  const compressed = await get(path, { 'accept-encoding': 'gzip, br' });
  expect(compressed.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
  });
  expect(compressed.body).toEqual(COMPRESSED);
  expect((await get(path, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip');
  expect((await get(path)).body.toString()).toBe(SCRIPT);
});

test.each([
  '/assets/gone.js',
  '/.env',
  '/../outside.js',
  '/%2e%2e/outside.js',
  '/assets/..%2f..%2foutside.js',
  '/assets/%00.js',
  `/assets/${'x'.repeat(5000)}.js`,
  '/boot.js%ff',
])('%s is not there', async (path) => {
  const { status, body, headers } = await get(path);
  expect([400, 404]).toContain(status);
  expect(headers['content-type']).toContain('application/json');
  expect(JSON.parse(body.toString())).toMatchObject({
    code: expect.any(String),
    next_step: expect.any(String),
  });
});

test('an unknown page address shows the console, for HEAD too', async () => {
  expect((await get('/no/such/page')).body.toString()).toContain('console</title>');
  expect((await get('/no/such/page', {}, 'HEAD')).status).toBe(200);
});

const WRONG_ESCAPES = [
  '/%',
  '/%zz',
  '/%ff',
  '/ics/%',
  '/ada/%',
  '/ada/site/tree/%E0%A4%A',
  '/candid/%',
  '/assets/%',
  '/documentation/%a?b=%',
];

test.each(WRONG_ESCAPES)(
  '[NAV-13] %s is the page of what is not there for whoever opens it',
  async (path) => {
    const { status, body, headers } = await get(path, { accept: 'text/html,application/xhtml+xml' });
    expect(status).toBe(200);
    expect(body.toString()).toContain('console</title>');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  },
);

test.each([...WRONG_ESCAPES, '/api/%', '/api/canister/%ff', '/oidc/%', '/sign-in/%', '/auth/%'])(
  '[NAV-13] %s is an error of the contract for a program',
  async (path) => {
    const accept = /^\/(api|oidc|sign-in|auth)/.test(path) ? 'text/html' : '*/*';
    const { status, body } = await get(path, { accept });
    expect([400, 404]).toContain(status);
    expect(JSON.parse(body.toString())).toMatchObject({
      code: expect.any(String),
      next_step: expect.any(String),
    });
  },
);

test("[API-01] the pages name the API's address, and their policy lets them call it and nothing else", async () => {
  const page = '<!doctype html><meta name="cannery-api" content="/api" /><title>The console</title>';
  await using elsewhere = await startDisposable({
    IC_URL: NO_NETWORK,
    consoleDir: await builtWith(page),
    API_URL: 'https://api.example.org/v"1/',
  });
  for (const path of ['/', '/ics/dashboard', '/candid/']) {
    const answer = await fetch(`${elsewhere.url}${path}`);
    expect(await answer.text(), path).toContain('content="https://api.example.org/v%221"');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`connect-src 'self' ${NO_NETWORK} https://api.example.org;`);
  }
  const own = await fetch(`${server.url}/`);
  expect(own.headers.get('content-security-policy')).toContain(`connect-src 'self' ${NO_NETWORK};`);
});

test('the pages hold what GET /config answers, with characters of it that would end the attribute', async () => {
  const page = '<!doctype html><meta name="cannery-config" content="" /><title>The console</title>';
  await using configured = await startDisposable({
    IC_URL: NO_NETWORK,
    consoleDir: await builtWith(page),
    GIT_PROVIDER_NAME: `Ada's "&quot;" <script>$&</script>`,
  });
  const config = await (await fetch(`${configured.url}/api/config`)).json();
  expect(config).toHaveProperty('git_provider.name', `Ada's "&quot;" <script>$&</script>`);
  for (const path of ['/', '/ics/dashboard', '/candid/']) {
    const html = await (await fetch(`${configured.url}${path}`)).text();
    const [, written = ''] =
      /^<!doctype html><meta name="cannery-config" content="([^"<]*)" \/>/.exec(html) ?? [];
    const read = written.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
    expect(JSON.parse(read), path).toEqual(config);
    expect(html.endsWith(' /><title>The console</title>'), path).toBe(true);
  }
});

test('[API-01] a console on another origin may call the API when it is named, and no other page', async () => {
  const home = 'https://console.example.org';
  await using api = await startDisposable({ IC_URL: NO_NETWORK, CONSOLE_URL: `${home}/` });
  const ask = (origin: string, path = '/api/canister/create') =>
    fetch(`${api.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
  const allowed = await ask(home);
  expect(allowed.status).toBe(204);
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    'access-control-allow-origin': home,
    'access-control-allow-headers':
      'authorization, code-origin, content-type, idempotency-key, last-event-id, prefer',
    'access-control-allow-methods': expect.stringContaining('PATCH'),
    vary: 'origin',
  });
  const call = await fetch(`${api.url}/api/config`, { headers: { origin: home } });
  expect(call.headers.get('access-control-allow-origin')).toBe(home);
  const refused = await fetch(`${api.url}/api/user/profile`, { headers: { origin: home } });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, home]);
  for (const other of [
    'https://evil.example',
    `${home}.evil.example`,
    'null',
    'http://console.example.org',
  ]) {
    expect((await ask(other)).headers.get('access-control-allow-origin'), other).toBeNull();
  }
  expect((await ask(home, '/auth/google/')).headers.get('access-control-allow-origin')).toBeNull();
  const silent = await fetch(`${server.url}/api/config`, { headers: { origin: home } });
  expect(silent.headers.get('access-control-allow-origin')).toBeNull();
});
