import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { STRANGER, textOf } from './asset-client.ts';
import { batchOf } from './operations.ts';
import { answers, exact, pattern, type Rule, rule, setRules, shown, site, subtree } from './sites.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

describe('rules', () => {
  const files = ['/index.html', '/about.html', '/new/index.html', '/new/page.html', '/gone.html', '/app.js'];

  // docs/redirects.md of dfinity/certified-assets; placeholders: docs.netlify.com/routing/redirects/redirect-options.
  test('redirect, rewrite and end in pages of errors', async () => {
    const client = await site(files, [
      exact('/old', '/about', 301),
      exact('/chat', 'https://chat.example/invite?x=1', 302),
      exact('/temporary', '/about', 307),
      exact('/permanent', '/about', 308),
      exact('/pretty', '/new/page.html', 200),
      exact('/pretty2', '/new/page', 200),
      exact('/secret', '/gone.html', 404),
      exact('/retired', '/gone.html', 410),
      exact('/app.js', '/about', 301),
      exact('/about', '/new/', 301),
      subtree('/docs/v1/', '/new/', 301),
      pattern('/user/:id', '/about.html', 200),
      pattern('/team/:id/edit', '/new/page.html', 200),
      pattern('/team/:id/files/*', '/gone.html', 410),
      subtree('/app/', '/index.html', 200),
    ]);
    client.store('/404.html', 'lost');
    const right = {
      '/old': '301 -> /about',
      '/old?x=1': '301 -> /about',
      '/old/': '404 lost',
      '/chat': '302 -> https://chat.example/invite?x=1',
      '/temporary': '307 -> /about',
      '/permanent': '308 -> /about',
      '/pretty': '200 /new/page.html',
      '/pretty2': '200 /new/page.html',
      '/secret': '404 /gone.html',
      '/retired': '410 /gone.html',
      '/app.js': '200 /app.js',
      '/about': '200 /about.html',
      '/docs/v1/': '301 -> /new/',
      '/docs/v1/a/b.html': '301 -> /new/',
      '/docs/v1': '404 lost',
      '/docs/v10': '404 lost',
      '/user/7': '200 /about.html',
      '/user/7/': '200 /about.html',
      '/user/7/edit': '404 lost',
      '/user/': '404 lost',
      '/user': '404 lost',
      '/team/7/edit': '200 /new/page.html',
      '/team/7/none': '404 lost',
      '/team/7/files/a/b': '410 /gone.html',
      '/app/': '200 /index.html',
      '/app/settings/deep': '200 /index.html',
      '/app': '404 lost',
      '/nowhere': '404 lost',
    };
    expect(answers(client, Object.keys(right))).toEqual(right);
    client.host.upgrade();
    expect(answers(client, Object.keys(right))).toEqual(right);
  });

  test('count in their order, and a folder has the rules of those above', async () => {
    const client = await site(
      ['/index.html', '/404.html', '/one.html', '/two.html', '/three.html', '/in/404.html'],
      [
        exact('/first', '/one.html', 200),
        subtree('/assets/', '/404.html', 404),
        pattern('/:lang/shop', '/two.html', 200),
        exact('/assets/late', '/one.html', 200),
        exact('/first', '/two.html', 200),
        pattern('/in/:deep/x', '/three.html', 200),
        subtree('/', '/index.html', 200),
        exact('/never', '/one.html', 200),
        subtree('/in/never/', '/one.html', 200),
      ],
    );
    const right = {
      '/first': '200 /one.html',
      '/assets/app.js': '404 /404.html',
      '/assets/late': '404 /404.html',
      '/assets/shop': '404 /404.html',
      '/assets': '200 /index.html',
      '/en/shop': '200 /two.html',
      '/in/shop': '200 /two.html',
      '/in/a/x': '200 /three.html',
      '/in/none': '200 /index.html',
      '/in/never/x': '200 /three.html',
      '/in/never/y': '200 /index.html',
      '/never': '200 /index.html',
      '/': '200 /index.html',
      '/one': '200 /one.html',
    };
    expect(answers(client, Object.keys(right))).toEqual(right);
  });

  test('without a file are a plain 404 where the start page would answer', async () => {
    const rules = [
      subtree('/app/', '/index.html', 200),
      rule({ Subtree: '/' }, '', 404, [['X-Test', 'yes']]),
    ];
    const client = await site(['/index.html'], rules);
    const right = { '/': '200 /index.html', '/app/x': '200 /index.html', '/none': '404 not found' };
    expect(answers(client, Object.keys(right))).toEqual(right);
    expect(client.get('/none').headers.get('x-test')).toBe('yes');
  });

  test('whose file is missing wait for it, and go when they are replaced', async () => {
    const client = await site(
      ['/404.html'],
      [exact('/a', '/late.html', 200), subtree('/b/', '/late.html', 410)],
    );
    const urls = ['/a', '/b/c'];
    const missing = { '/a': '404 /404.html', '/b/c': '404 /404.html' };
    expect(answers(client, urls)).toEqual(missing);
    client.store('/late.html', 'at /late.html');
    expect(answers(client, urls)).toEqual({ '/a': '200 /late.html', '/b/c': '410 /late.html' });
    client.store('/a', 'at /a');
    expect(shown(client.get('/a'))).toBe('200 /a');
    client.call('delete_asset', { key: '/a' });
    expect(shown(client.get('/a'))).toBe('200 /late.html');
    setRules(client, []);
    expect(answers(client, urls)).toEqual(missing);
    setRules(client, [exact('/a', '/b', 301)]);
    client.call('clear', {});
    expect(shown(client.get('/a'))).toBe('404 not found');
  });

  test('carry their headers, and a kept answer is known again', async () => {
    const client = await site(files, [
      rule({ Exact: '/old' }, '/about', 301, [
        ['X-Test', 'yes'],
        ['Location', 'https://else.example'],
      ]),
      exact('/pretty', '/about.html', 200),
    ]);
    const moved = client.get('/old');
    expect([moved.headers.get('x-test'), moved.headers.get('location')]).toEqual(['yes', '/about']);
    const etag = client.get('/pretty').headers.get('etag') ?? '';
    expect(client.get('/pretty', [['if-none-match', etag]]).status).toBe(304);
  });

  test('a large file is rewritten to, as pieces too', async () => {
    const client = await site(
      ['/index.html'],
      [exact('/film', '/film.mp4', 200), subtree('/films/', '/film.mp4', 200)],
    );
    const content = new Uint8Array(4_000_000).fill(7);
    client.store('/small', 'x');
    const batch = batchOf(client);
    const ids = [0, 1_900_000, 3_800_000].map(
      (at) =>
        client.call<{ chunk_id: bigint }>('create_chunk', {
          batch_id: batch,
          content: content.subarray(at, at + 1_900_000),
        }).chunk_id,
    );
    const create = {
      content_type: 'video/mp4',
      max_age: [],
      headers: [],
      enable_aliasing: [],
      allow_raw_access: [],
    };
    const set = { content_encoding: 'identity', chunk_ids: ids, sha256: [], last_chunk: [] };
    client.call('commit_batch', {
      batch_id: batch,
      operations: [
        { CreateAsset: { key: '/film.mp4', ...create } },
        { SetAssetContent: { key: '/film.mp4', ...set } },
      ],
    });
    for (const url of ['/film', '/films/a']) {
      expect(client.get(url).body.length).toBe(4_000_000);
      const piece = client.get(url, [['range', 'bytes=1900000-']]);
      expect([piece.status, piece.body.length]).toEqual([206, 1_900_000]);
    }
  });

  test('stay when the index is written again into a larger place', async () => {
    const client = await site(['/index.html', '/about.html'], [exact('/old', '/about', 301)]);
    const long = 'x'.repeat(2_000);
    const unchanged = { max_age: [], allow_raw_access: [], is_aliased: [] };
    // More than the least room for records.
    for (let n = 0; n < 60; n += 1)
      client.call('set_asset_properties', {
        key: '/about.html',
        headers: [[[['x-n', `${n}${long}`]]]],
        ...unchanged,
      });
    client.host.upgrade();
    expect(shown(client.get('/old'))).toBe('301 -> /about');
  });

  test('a placeholder stands for something', async () => {
    const client = await site(['/404.html', '/page.html'], [pattern('/:name', '/page.html', 200)]);
    const right = { '/a': '200 /page.html', '/a/': '200 /page.html', '/': '404 /404.html' };
    expect(answers(client, Object.keys(right))).toEqual(right);
  });

  test('are listed as they were set, in pages, and have a hash', async () => {
    const client = await site(['/index.html']);
    const listed = (start: bigint) => client.call<Rule[]>('get_redirect_rules', start);
    const hash = () => client.call<[] | [Uint8Array]>('redirect_rules_hash', undefined);
    expect([listed(0n), hash()]).toEqual([[], []]);
    const rules = [
      rule({ Pattern: '/a/:b/*' }, '/index.html', 404, [['x', 'y']]),
      ...Array.from({ length: 600 }, (_, n) => exact(`/${n}`, `/to/${n}`, 301)),
      subtree('/s/', 'https://example.com/', 308),
    ];
    setRules(client, rules);
    expect([...listed(0n), ...listed(500n)]).toEqual(rules);
    expect(listed(9_999n)).toEqual([]);
    // As the server that publishes computes it (redirect-rules.ts).
    const sum = createHash('sha256').update(Uint8Array.of(10));
    const part = (text: string) => {
      const size = Buffer.alloc(4);
      size.writeUInt32LE(Buffer.byteLength(text));
      sum.update(size).update(text);
    };
    for (const { from, to, status, headers } of rules) {
      const [[kind, path] = ['', '']] = Object.entries(from);
      sum.update(Uint8Array.of(['Exact', 'Subtree', 'Pattern'].indexOf(kind)));
      for (const text of [path, to, String(status), String(headers.length), ...headers.flat()]) part(text);
    }
    expect(Buffer.from(hash()[0] ?? []).toString('hex')).toBe(sum.digest('hex'));
  });

  test.each([
    [exact('old', '/new', 301), 'is not a path'],
    [exact('//old', '/new', 301), 'is not a path'],
    [exact('/<*>', '/new', 301), 'is not a path'],
    [pattern('/a/<$>/:b', '/new', 301), 'is not a path'],
    [subtree('/old', '/new', 301), 'ends without /'],
    [pattern('/a/*/b', '/new', 301), '* stands elsewhere'],
    [pattern('/a*', '/new', 301), '* stands elsewhere'],
    [exact('/a', '//evil.example', 301), 'neither a path nor an address'],
    [exact('/a', 'javascript:alert(1)', 302), 'neither a path nor an address'],
    [exact('/a', 'https://example.com', 200), 'not the path of a file'],
    [exact('/a', '/b', 204), 'the status 204'],
  ])('that mean nothing are refused, and nothing is changed: %o', async (bad, reason) => {
    const client = await site(['/index.html'], [exact('/kept', '/', 301)]);
    expect(() => setRules(client, [exact('/x', '/', 301), bad])).toThrow(reason);
    expect(shown(client.get('/kept'))).toBe('301 -> /');
    expect(shown(client.get('/x'))).toBe('200 /index.html');
  });

  test('are set by those only who may commit', async () => {
    const client = await site(['/index.html']);
    const commit = { batch_id: batchOf(client), operations: [{ SetRedirectRules: { rules: [] } }] };
    expect(() => client.call('commit_batch', commit, STRANGER)).toThrow(/permission/i);
    const many = Array.from({ length: 20_001 }, (_, n) => exact(`/${n}`, '/', 301));
    expect(() => setRules(client, many)).toThrow('more than 20000 redirect rules');
    const patterns = Array.from({ length: 2_001 }, (_, n) => subtree(`/${n}/`, '/', 301));
    expect(() => setRules(client, patterns)).toThrow('more than 2000 redirect rules for several paths');
  });

  test('an answer cannot be given for a path that another rule or a file answers', async () => {
    const client = await site(
      ['/index.html', '/about.html'],
      [exact('/old', '/about', 301), subtree('/docs/', '/about', 302), subtree('/', '/index.html', 200)],
    );
    const [old, docs, rest] = ['/old', '/docs/a', '/none'].map((url) => client.get(url));
    for (const [answer, url] of [
      [docs, '/none'],
      [docs, '/old'],
      [rest, '/docs/a'],
      [rest, '/old'],
      [rest, '/about'],
      [old, '/docs/a'],
    ] as const)
      expect(() => answer !== undefined && client.verify(url, answer)).toThrow();
    expect(textOf(client.get('/about'))).toBe('at /about.html');
  });
});
