import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { DeployAnswer } from '@cannery/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;

beforeAll(async () => {
  client = await startDeployClient();
});
afterAll(() => client.dispose());

interface Page {
  readonly shown: string;
  readonly header: (name: string) => string | undefined;
}

/** What a visitor gets at the address of a site: '200 text', '301 -> /there'. */
async function visit(id: string, path: string, headers: Record<string, string> = {}): Promise<Page> {
  const { canisters } = await client.ada.call<DeployAnswer>('GET', `/deploy/${id}`);
  const { port } = new URL(client.product.networkUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Page>();
  const host = `${canisters[0]}.localhost:${port}`;
  request({ host: '127.0.0.1', port, path, headers: { ...headers, host } }, (answer) => {
    text(answer).then((body) => {
      const { location } = answer.headers;
      const header = (name: string): string | undefined => answer.headers[name]?.toString();
      resolve({ shown: `${answer.statusCode} ${location === undefined ? body : `-> ${location}`}`, header });
    }, reject);
  })
    .once('error', reject)
    .end();
  return promise;
}

async function expectPages(id: string, pages: Readonly<Record<string, string>>): Promise<void> {
  const found = Object.keys(pages).map(async (path) => [path, (await visit(id, path)).shown] as const);
  expect(Object.fromEntries(await Promise.all(found))).toEqual(pages);
}

const SITE = {
  'index.html': 'start',
  'about.html': 'about',
  'docs/index.html': 'docs',
  _redirects:
    '/old /about 301\n/app/* /index.html 200\n/news/* /docs/:splat 301\n/off /about 302 Country=de\n/bad /none.html 404\n',
  _headers: '/*\n  X-Test: yes\n/docs/*\n  X-Docs: yes\n  ETag: "mine"\n',
};
const PAGES = {
  '/': '200 start',
  '/old': '301 -> /about',
  '/old/': '301 -> /about',
  '/about': '200 about',
  '/about/': '307 -> /about',
  '/app/x': '200 start',
  '/news/': '301 -> /docs/',
  '/docs': '307 -> /docs/',
  '/docs/': '200 docs',
  '/_redirects': '404 not found',
  '/_headers': '404 not found',
  '/off': '404 not found',
};

test('_redirects and _headers are followed and not served; what cannot be is named', async () => {
  await client.push('site', SITE);
  const id = await client.create('site', 'STATIC_SITE');
  const { status, logs, warnings } = await client.run(id);
  expect(status).toBe('COMPLETED');
  await expectPages(id, PAGES);
  for (const path of Object.keys(PAGES)) {
    const { header } = await visit(id, path);
    expect([path, header('x-test')]).toEqual([path, 'yes']);
  }
  expect((await visit(id, '/docs/')).header('x-docs')).toBe('yes');
  expect((await visit(id, '/docs')).header('x-docs')).toBe('yes');
  const texts = (warnings ?? []).flatMap(({ files }) => files);
  expect(texts).toEqual([
    '_redirects line 5: /none.html',
    '_redirects line 4: conditions such as countries and languages are not looked at',
    '_headers line 5: the header ETag is set by the canister itself',
  ]);
  expect(logs).toContain('_redirects line 5: /none.html');

  // Nothing is sent for what is there already, rules included; and rules go when their file goes.
  const again = await client.run(id);
  expect(again.logs).toMatch(/0 files new or changed, 3 unchanged, 0 removed; 0 B sent/);
  await client.push('site', { 'index.html': 'start', 'about.html': 'about' });
  expect((await client.run(id)).status).toBe('COMPLETED');
  await expectPages(id, { '/old': '200 start', '/about/': '307 -> /about' });
});

test('a rollback brings the rules of its run back', async () => {
  await client.push('turned', { ...SITE, _redirects: '/old /about 301\n' });
  const id = await client.create('turned', 'STATIC_SITE');
  const first = await client.run(id);
  await client.push('turned', { ...SITE, _redirects: '/old /docs/ 302\n' });
  await client.run(id);
  await expectPages(id, { '/old': '302 -> /docs/' });
  const { id: instance } = await client.ada.call<{ id: string }>(
    'POST',
    `/deploy/${id}/instances/${first.id}/rollback`,
  );
  expect((await client.finished(id, instance)).status).toBe('COMPLETED');
  await expectPages(id, { '/old': '301 -> /about' });
});

test('a project with the recipe @dfinity/static-site is served by its files', async () => {
  const dist = Object.entries(SITE).map(([path, content]) => [`dist/${path}`, content]);
  const icp =
    'canisters:\n  - name: site\n    recipe:\n      type: "@dfinity/static-site@v0.3.1"\n      configuration:\n        dir: dist\n';
  await client.push('recipe', { 'icp.yaml': icp, ...Object.fromEntries(dist) });
  const id = await client.create('recipe', 'CUSTOM');
  expect((await client.run(id)).status).toBe('COMPLETED');
  await expectPages(id, PAGES);
});

test('a folder without a slash leads to its page, and the nearest 404 page answers', async () => {
  await client.push('nested', {
    'index.html': 'start',
    '404.html': 'lost',
    'guide/index.html': '<link rel="stylesheet" href="style.css"><a href="page.html">Page</a>',
    'guide/page.html': 'page',
    'guide/style.css': 'h1 { color: red }',
    'blog/index.html': 'blog',
    'blog/404.html': 'lost in the blog',
  });
  const id = await client.create('nested', 'STATIC_SITE');
  const { warnings } = await client.run(id);
  expect(warnings ?? []).toEqual([]);
  await expectPages(id, {
    '/guide': '307 -> /guide/',
    '/guide/style.css': '200 h1 { color: red }',
    '/guide/page.html': '200 page',
    '/none': '404 lost',
    '/blog/none': '404 lost in the blog',
    '/blog/none/deep': '404 lost in the blog',
  });
  // Who comes back from elsewhere with a query keeps it.
  expect((await visit(id, '/blog?code=1')).shown).toBe('200 blog');
});

test('text is served in Brotli and gzip', async () => {
  await client.push('packed', { 'index.html': `<h1>${'words and words '.repeat(200)}</h1>` });
  const id = await client.create('packed', 'STATIC_SITE');
  await client.run(id);
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', undefined],
  ] as const)
    expect((await visit(id, '/', { 'accept-encoding': accepted })).header('content-encoding')).toBe(encoding);
});

test('rules that no site may have end the run, and what was live stays', async () => {
  await client.push('many', { 'index.html': 'start' });
  const id = await client.create('many', 'STATIC_SITE');
  await client.run(id);
  const lines = Array.from({ length: 2_001 }, (_, n) => `/${n} /`).join('\n');
  await client.push('many', { 'index.html': 'new', _redirects: lines });
  const { status, logs } = await client.run(id);
  expect(status).toBe('FAILED');
  expect(logs).toContain('Failed: _redirects has more than 2000 rules.');
  await client.push('many', { 'index.html': 'new', _redirects: '#'.repeat(256 * 1024 + 1) });
  expect((await client.run(id)).logs).toContain('_redirects is larger than 256 kB.');
  expect((await visit(id, '/')).shown).toBe('200 start');
});
