import { createHash, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { AssetClient, textOf } from './asset-client.ts';
import { createAsset } from './operations.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

describe('paths', () => {
  test('an empty site answers every path with a certified plain 404', async () => {
    const client = await AssetClient.install();
    for (const url of ['/', '/index.html', '/deep/er/path', '/x?y=z']) {
      const answer = client.get(url);
      expect(answer.status).toBe(404);
      expect(textOf(answer)).toBe('not found');
    }
  });

  test('index files and pages answer for their paths without suffix', async () => {
    const client = await AssetClient.install();
    client.store('/index.html', 'start');
    client.store('/docs/index.html', 'docs');
    client.store('/about.html', 'about');
    const expected = {
      '/': 'start',
      '/docs/': 'docs',
      '/docs/index.html': 'docs',
      '/about': 'about',
      '/about.html': 'about',
    };
    for (const [url, body] of Object.entries(expected)) {
      const answer = client.get(url);
      expect([url, answer.status, textOf(answer)]).toEqual([url, 200, body]);
    }
  });

  test('a file goes before a page of its name, a page before a folder, and each takes over when the other goes', async () => {
    const client = await AssetClient.install();
    client.store('/about/index.html', 'folder');
    client.store('/about.html', 'page');
    client.store('/about', 'file', 'text/plain');
    expect(textOf(client.get('/about'))).toBe('file');
    client.call('delete_asset', { key: '/about' });
    expect(textOf(client.get('/about'))).toBe('page');
    client.call('delete_asset', { key: '/about.html' });
    expect(client.get('/about').headers.get('location')).toBe('/about/');
    expect(textOf(client.get('/about/'))).toBe('folder');
    client.call('delete_asset', { key: '/about/index.html' });
    expect(client.get('/about').status).toBe(404);
  });

  test('aliasing can be turned off for an asset', async () => {
    const client = await AssetClient.install();
    client.store('/about.html', 'about');
    client.call('set_asset_properties', {
      key: '/about.html',
      max_age: [],
      headers: [],
      allow_raw_access: [],
      is_aliased: [[false]],
    });
    expect(client.get('/about').status).toBe(404);
    expect(client.get('/about.html').status).toBe(200);
  });

  test("unknown paths get the site's 404 page with status 404", async () => {
    const client = await AssetClient.install();
    client.store('/index.html', 'start');
    client.store('/404.html', 'lost?');
    for (const url of ['/nope', '/nope/', '/a/b/c.js', '/index.htm']) {
      const answer = client.get(url);
      expect([answer.status, textOf(answer)]).toEqual([404, 'lost?']);
    }
    expect(client.get('/404.html').status).toBe(200);
  });

  test('without a 404 page the start page answers unknown paths', async () => {
    const client = await AssetClient.install();
    client.store('/index.html', 'app');
    client.store('/assets/app.js', 'js', 'text/javascript');
    for (const url of ['/nope', '/users/7', '/assets/none.js', '/assets/', '/assets/app.js/x']) {
      const answer = client.get(url);
      expect([url, answer.status, textOf(answer)]).toEqual([url, 200, 'app']);
    }
    client.call('delete_asset', { key: '/index.html' });
    expect(client.get('/nope').status).toBe(404);
  });

  test('spaces, percent signs and letters of all kinds in names', async () => {
    const client = await AssetClient.install();
    client.store('/my file.txt', 'space', 'text/plain');
    client.store('/grüße/日本.html', 'unicode');
    client.store('/100%.txt', 'percent', 'text/plain');
    client.store('/a+b&c.txt', 'plus', 'text/plain');
    client.store('/🚀.txt', 'rocket', 'text/plain');
    const expected = {
      '/my%20file.txt': 'space',
      '/gr%C3%BC%C3%9Fe/%E6%97%A5%E6%9C%AC': 'unicode',
      '/100%25.txt': 'percent',
      '/a+b&c.txt': 'plus',
      '/%F0%9F%9A%80.txt?v=1': 'rocket',
    };
    for (const [url, body] of Object.entries(expected))
      expect([url, textOf(client.get(url))]).toEqual([url, body]);
    expect(client.http('/%ff').status).toBe(400);
    for (const url of ['/%3C*%3E', '/%3C*%3E/x', '/%3C$%3E', '//', '/a//b'])
      expect([url, client.http(url).status]).toEqual([url, 404]);
  });
});

describe('certification', () => {
  test('the verifier refuses a changed byte, header, status or another path', async () => {
    const client = await AssetClient.install();
    client.store('/index.html', 'genuine');
    client.store('/other.html', 'other');
    const answer = client.get('/index.html');
    const refused = (change: Partial<typeof answer>, url = '/index.html') =>
      expect(() => client.verify(url, { ...answer, ...change })).toThrow();
    refused({ body: new TextEncoder().encode('Genuine') });
    refused({ status: 201 });
    refused({
      rawHeaders: answer.rawHeaders.map(([name, value]) => [
        name,
        name === 'content-type' ? 'text/plain' : value,
      ]),
    });
    refused({}, '/other.html');
    refused({}, '/unknown');
  });

  test('a fallback cannot stand for a path that exists', async () => {
    const client = await AssetClient.install();
    client.store('/404.html', 'lost');
    client.store('/a/page.html', 'page');
    const lost = client.get('/a/nope');
    expect(() => client.verify('/a/page.html', lost)).toThrow();
    expect(() => client.verify('/a/page', lost)).toThrow();
  });

  test('all headers that the client sees are certified', async () => {
    const client = await AssetClient.install();
    client.call('create_asset', {
      key: '/a.txt',
      content_type: 'text/plain',
      max_age: [3600n],
      headers: [
        [
          ['X-Frame-Options', 'DENY'],
          ['Content-Security-Policy', "default-src 'self'"],
        ],
      ],
      enable_aliasing: [],
      allow_raw_access: [],
    });
    client.store('/a.txt', 'content', 'text/plain');
    const answer = client.http('/a.txt');
    const certified = client.verify('/a.txt', answer);
    expect(Object.fromEntries(certified)).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'max-age=3600',
      'x-frame-options': 'DENY',
      'content-security-policy': "default-src 'self'",
      etag: answer.headers.get('etag'),
    });
  });

  test('pages carry the ic_env cookie, other files do not', async () => {
    const client = await AssetClient.install();
    client.host.environment.set('PUBLIC_CANISTER_ID:backend', 'aaaaa-aa').set('SECRET', 'x');
    client.store('/index.html', 'start');
    client.store('/a.js', 'js', 'text/javascript');
    const cookie = client.get('/').headers.get('set-cookie') ?? '';
    const value = decodeURIComponent(cookie.replace(/^ic_env=/, '').replace('; SameSite=Lax', ''));
    const rootKey = Buffer.from(client.certifier.rootKey).toString('hex');
    expect(value).toBe(`ic_root_key=${rootKey}&PUBLIC_CANISTER_ID:backend=aaaaa-aa`);
    expect(client.get('/a.js').headers.has('set-cookie')).toBe(false);
  });

  test('a cookie of the site does not take the place of ic_env', async () => {
    const client = await AssetClient.install();
    const { key, ...asset } = createAsset('/a.html', 'text/html').CreateAsset;
    client.call('create_asset', { ...asset, key, headers: [[['Set-Cookie', 'a=1']]] });
    client.store('/a.html', 'page');
    expect(client.get('/a.html').headers.get('set-cookie')).toContain('ic_env=');
  });

  test('a changed environment reaches pages that were there before', async () => {
    const client = await AssetClient.install();
    client.store('/old.html', 'old');
    client.host.environment.set('PUBLIC_A', '1');
    client.store('/new.txt', 'new', 'text/plain');
    expect(client.get('/old.html').headers.get('set-cookie')).toContain('PUBLIC%5FA%3D1');
  });

  test('version 1 of response verification for gateways that ask for no other', async () => {
    const client = await AssetClient.install();
    client.store('/index.html', 'start');
    client.store('/a.txt', 'content', 'text/plain');
    for (const version of [[], [1]] as ([] | [number])[]) {
      const answer = client.http('/a.txt', [], version);
      expect(textOf(answer)).toBe('content');
      expect(answer.headers.get('ic-certificate')).not.toContain('version');
      expect(() => client.verify('/a.txt', answer, 1)).not.toThrow();
      const unknown = client.http('/unknown', [], version);
      expect(textOf(unknown)).toBe('start');
      expect(() => client.verify('/unknown', unknown, 1)).not.toThrow();
    }
  });

  test('certified_tree gives the tree that the certificate is about', async () => {
    const client = await AssetClient.install();
    client.store('/a.txt', 'content', 'text/plain');
    const { certificate, tree } = client.call<{ certificate: Uint8Array; tree: Uint8Array }>(
      'certified_tree',
      {},
    );
    expect(Buffer.compare(certificate, client.host.certificate)).toBe(0);
    expect(Buffer.from(tree).includes(createHash('sha256').update('content').digest())).toBe(true);
  });
});

describe('transfer', () => {
  test('encodings are chosen by what the client accepts', async () => {
    const client = await AssetClient.install();
    const body = 'a'.repeat(5000);
    client.store('/a.txt', body, 'text/plain');
    client.store('/a.txt', gzipSync(body), 'text/plain', 'gzip');
    client.store('/a.txt', 'tiny', 'text/plain', 'br');
    const chosen = (accept: string) =>
      client.get('/a.txt', [['Accept-Encoding', accept]]).headers.get('content-encoding');
    expect(chosen('gzip, deflate')).toBe('gzip');
    expect(chosen('gzip, deflate, br')).toBe('br');
    expect(chosen('GZIP;q=0.5, br;q=0')).toBe('gzip');
    expect(chosen('identity')).toBeUndefined();
    expect(client.get('/a.txt').headers.has('content-encoding')).toBe(false);
    const gzipped = client.get('/a.txt', [['accept-encoding', 'gzip']]);
    expect(gunzipSync(gzipped.body).toString()).toBe(body);
    expect(gzipped.headers.get('vary')).toBe('Accept-Encoding');
  });

  test('a client that has the content gets 304 without body', async () => {
    const client = await AssetClient.install();
    client.store('/a.txt', 'content', 'text/plain');
    const etag = client.get('/a.txt').headers.get('etag') ?? '';
    expect(etag).toBe(`"${createHash('sha256').update('content').digest('hex')}"`);
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = client.get('/a.txt', [['If-None-Match', value]]);
      expect([answer.status, answer.body.length]).toEqual([304, 0]);
    }
    expect(client.get('/a.txt', [['If-None-Match', '"other"']]).status).toBe(200);
    client.store('/a.txt', 'changed', 'text/plain');
    expect(client.get('/a.txt', [['If-None-Match', etag]]).status).toBe(200);
  });

  test('HEAD is answered like GET; the gateway leaves the body out', async () => {
    const client = await AssetClient.install();
    client.store('/a.txt', 'content', 'text/plain');
    const answer = client.http('/a.txt', [], [2], 'HEAD');
    expect(answer.status).toBe(200);
    expect(() => client.verify('/a.txt', answer)).not.toThrow();
  });

  test('5 MB come in pieces that verify as one body', async () => {
    const client = await AssetClient.install();
    const content = randomBytes(5_000_000);
    client.store('/small.bin', content.subarray(0, 10), 'application/octet-stream');
    client.store('/big.bin', content, 'application/octet-stream');
    const answer = client.get('/big.bin');
    expect(answer.calls).toBe(3);
    expect(Buffer.compare(answer.body, content)).toBe(0);
  });

  test('a streaming token of content that changed meanwhile is refused', async () => {
    const client = await AssetClient.install();
    client.store('/big.bin', randomBytes(2_000_000), 'application/octet-stream');
    const token = { key: '/big.bin', content_encoding: 'identity', index: 1n, sha256: [randomBytes(32)] };
    expect(() => client.call('http_request_streaming_callback', token)).toThrow('the content has changed');
  });

  test('an asset may refuse the host that skips certificates', async () => {
    const client = await AssetClient.install();
    client.store('/a.txt', 'content', 'text/plain');
    const raw = () => client.http('/a.txt?x', [['Host', 'abc.raw.localhost:8000']]);
    expect(raw().status).toBe(200);
    client.call('set_asset_properties', {
      key: '/a.txt',
      max_age: [],
      headers: [],
      allow_raw_access: [[false]],
      is_aliased: [],
    });
    expect(raw().status).toBe(308);
    expect(raw().headers.get('location')).toBe('//abc.localhost:8000/a.txt?x');
  });
});
