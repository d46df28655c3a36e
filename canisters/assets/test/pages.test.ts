import { beforeAll, describe, expect, test } from 'vitest';
import { assetCanisterWasm } from '../index.ts';
import { answers, exact, setRules, shown, site } from './sites.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

describe('the address of a page', () => {
  // docs/routing.md of dfinity/certified-assets, "Clean URLs".
  const right = {
    '/': '200 /index.html',
    '/index': '307 -> /',
    '/index/': '307 -> /',
    '/index.html': '200 /index.html',
    '/about': '200 /about.html',
    '/about/': '307 -> /about',
    '/about/index': '307 -> /about',
    '/about.html': '200 /about.html',
    '/guide': '307 -> /guide/',
    '/guide/': '200 /guide/index.html',
    '/guide/index': '307 -> /guide/',
    '/guide/index.html': '200 /guide/index.html',
    '/guide/page': '200 /guide/page.html',
    '/guide/page/': '307 -> /guide/page',
    '/gr%C3%BC%C3%9Fe': '307 -> /gr%C3%BC%C3%9Fe/',
    '/why%3F': '307 -> /why%3F/',
    '//guide': '307 -> /guide/',
    '/guide//page': '200 /guide/page.html',
    // Files that are no pages have one address.
    '/data': '404 not found',
    '/data.json/': '404 not found',
    // A redirect would lose the query.
    '/guide?code=1': '200 /guide/index.html',
  };

  test('is one; others lead to it', async () => {
    const files = ['/about.html', '/guide/index.html', '/guide/page.html', '/data.json'];
    const client = await site([...files, '/index.html', '/grüße/index.html', '/why?/index.html']);
    // No start page for what is not found.
    setRules(client, [exact('/data', '/none', 404)]);
    client.store('/404.html', 'not found');
    expect(answers(client, Object.keys(right))).toEqual(right);
  });

  test('a file goes before a page, a page before a folder, whatever comes last', async () => {
    const client = await site(['/a/index.html', '/a.html', '/404.html']);
    expect(answers(client, ['/a', '/a/'])).toEqual({ '/a': '200 /a.html', '/a/': '200 /a/index.html' });
    client.call('delete_asset', { key: '/a/index.html' });
    expect(answers(client, ['/a', '/a/'])).toEqual({ '/a': '200 /a.html', '/a/': '307 -> /a' });
    client.call('delete_asset', { key: '/a.html' });
    expect(answers(client, ['/a', '/a/'])).toEqual({ '/a': '404 /404.html', '/a/': '404 /404.html' });
  });

  test('redirects carry the headers of their page, and an upgrade keeps them', async () => {
    const client = await site(['/guide/index.html']);
    const headers = [
      ['X-Test', 'yes'],
      ['Content-Type', 'text/plain'],
      ['Location', '/elsewhere'],
    ];
    const unchanged = { max_age: [], allow_raw_access: [], is_aliased: [] };
    client.call('set_asset_properties', { key: '/guide/index.html', headers: [[headers]], ...unchanged });
    for (const round of ['before', 'after']) {
      const answer = client.get('/guide');
      expect([round, shown(answer), answer.headers.get('x-test')]).toEqual([round, '307 -> /guide/', 'yes']);
      expect(answer.headers.has('content-type')).toBe(false);
      client.host.upgrade();
    }
  });
});

describe('what is not found', () => {
  test('is answered with the 404 page of the nearest folder', async () => {
    const files = ['/404.html', '/index.html', '/blog/404.html', '/blog/index.html', '/blog/a/b/404.html'];
    const client = await site(files);
    const right = {
      '/none': '404 /404.html',
      '/blog': '307 -> /blog/',
      '/blog/none': '404 /blog/404.html',
      '/blog/none/deep/': '404 /blog/404.html',
      '/blog/a': '404 /blog/404.html',
      '/blog/a/b': '404 /blog/a/b/404.html',
      '/blog/a/b/': '404 /blog/a/b/404.html',
      '/blog/a/b/c': '404 /blog/a/b/404.html',
      '/blogs/none': '404 /404.html',
      '/blog/404.html': '200 /blog/404.html',
    };
    expect(answers(client, Object.keys(right))).toEqual(right);
    client.call('delete_asset', { key: '/blog/404.html' });
    expect(shown(client.get('/blog/none'))).toBe('404 /404.html');
    client.call('delete_asset', { key: '/404.html' });
    expect(shown(client.get('/blog/none'))).toBe('200 /index.html');
    expect(shown(client.get('/blog/a/b/none'))).toBe('404 /blog/a/b/404.html');
    client.host.upgrade();
    expect(shown(client.get('/blog/a/b/none'))).toBe('404 /blog/a/b/404.html');
  });

  test('no answer of a folder can be given for a path of another, or for a file', async () => {
    const client = await site(['/404.html', '/blog/404.html', '/blog/post.html']);
    const [outer, inner] = [client.get('/none'), client.get('/blog/none')];
    expect(() => client.verify('/blog/none', outer)).toThrow();
    expect(() => client.verify('/none', inner)).toThrow();
    expect(() => client.verify('/blog/post', inner)).toThrow();
    client.verify('/blog/other', inner);
  });
});
