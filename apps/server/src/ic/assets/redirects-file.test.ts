import { describe, expect, test } from 'vitest';
import { RedirectsReader } from './redirects-file.ts';
import { SiteAddresses } from './site-addresses.ts';

const FILES = ['index.html', 'about.html', 'new/index.html', 'new/page.html', 'new/a b.txt', '404.html'];

function read(lines: readonly string[], files: readonly string[] = FILES) {
  const site = new SiteAddresses(new Map(files.map((path) => [`/${path}`, true])));
  return new RedirectsReader(site, () => []).read(lines.join('\n'));
}

/** Rules in short: 'Exact /old 301 /about'. */
const rulesOf = (lines: readonly string[], files = FILES): string[] =>
  read(lines, files).rules.map(
    ({ from, to, status }) => `${Object.entries(from).flat().join(' ')} ${status} ${to}`,
  );

describe('a line becomes', () => {
  test.each([
    // Netlify takes a path with and without a slash at its end for the same.
    ['/old /about 301', ['Exact /old 301 /about', 'Exact /old/ 301 /about']],
    ['/old/\t /about', ['Exact /old 301 /about', 'Exact /old/ 301 /about']],
    ['/ /about 302', ['Exact / 302 /about']],
    ['/old  /about  301!', ['Exact /old 301 /about', 'Exact /old/ 301 /about']],
    [
      '/chat https://chat.example/x?y=1#z 302 # why',
      ['Exact /chat 302 https://chat.example/x?y=1#z', 'Exact /chat/ 302 https://chat.example/x?y=1#z'],
    ],
    ['/old /about#team 308', ['Exact /old 308 /about#team', 'Exact /old/ 308 /about#team']],
    ['/a%20b /new/a%20b.txt 307', ['Exact /a b 307 /new/a%20b.txt', 'Exact /a b/ 307 /new/a%20b.txt']],
    ['/pretty /new/page 200', ['Exact /pretty 200 /new/page', 'Exact /pretty/ 200 /new/page']],
    ['/docs/v1/* /new/ 301', ['Exact /docs/v1 301 /new/', 'Subtree /docs/v1/ 301 /new/']],
    ['/* /index.html 200', ['Subtree / 200 /index.html']],
    ['/user/:id /about.html 200', ['Pattern /user/:id 200 /about.html']],
    ['/user/:id/ /about.html 200', ['Pattern /user/:id 200 /about.html']],
    ['/:lang/shop/* /about.html 410', ['Pattern /:lang/shop/* 410 /about.html']],
    [
      '/old/* /new/:splat 301',
      [
        'Exact /old/index.html 301 /new/index.html',
        'Exact /old/ 301 /new/',
        'Exact /old 301 /new/',
        'Exact /old/page.html 301 /new/page.html',
        'Exact /old/page 301 /new/page',
        'Exact /old/a b.txt 301 /new/a%20b.txt',
      ],
    ],
    [
      '/p/:name /new/:name.html?x=1 302',
      ['Exact /p/index 302 /new/index.html?x=1', 'Exact /p/page 302 /new/page.html?x=1'],
    ],
    [
      '/:lang/p/:name /new/:name.html 200',
      ['Pattern /:lang/p/index 200 /new/index.html', 'Pattern /:lang/p/page 200 /new/page.html'],
    ],
    ['/a/:x-:y /new/:x%20:y 301', ['Exact /a/a-b.txt 301 /new/a%20b.txt']],
  ])('%s', (line, rules) => {
    expect(rulesOf([line])).toEqual(rules);
    expect(read([line])).toMatchObject({ problems: [], missing: [] });
  });

  test('nothing, with the reason', () => {
    const lines = {
      'old /about': 'begins with no path',
      'https://blog.example/* /blog/:splat': 'begins with no path',
      '/old': 'neither a path nor an address',
      '/old 301': 'neither a path nor an address',
      '/old //evil.example 301': 'leads to no address',
      '/old /about 303': '303 is not one of 200, 301, 302, 307, 308, 404, 410',
      '/old /about moved': 'moved is not one of',
      '/store id=:id /about 301': 'queries are not looked at',
      '/store?x=1 /about': 'queries are not looked at',
      '/old /about 302 Country=de': 'conditions such as countries',
      '/old /about Language=de': 'conditions such as countries',
      '/api/* https://api.example/:splat 200': 'taken over to paths of this site only',
      '/api https://api.example/ 200': 'only a redirect can lead to another site',
      '/out/* https://else.example/:splat 301': 'taken over to paths of this site only',
      '/a/*/b /about': '* stands elsewhere',
      '/a* /about': '* stands elsewhere',
      '/%ff /about': 'not UTF-8',
      '/<*>/a /about': 'no site can have this path',
      '/:a:b /about': 'follow each other',
      '/x-:a /about': 'stands for a whole part of the path only',
      '/q/* /new/?p=:splat': 'cannot be taken over to a query',
      '/x/:name /new/?p=:name': 'cannot be taken over to a query',
    };
    for (const [line, reason] of Object.entries(lines)) {
      const { rules, problems } = read(['# A comment /x /y', '', line]);
      expect([line, rules, problems]).toEqual([
        line,
        [],
        [{ line: 3, text: expect.stringContaining(reason) }],
      ]);
    }
  });
});

test('lines that lead to nothing are named; a redirect is made all the same, a page waits for its file', () => {
  const lines = ['/a /none 301', '/b /none.html 404', '/c/* /no/:splat 301', '/d https://example.com 301'];
  const { missing } = read(lines);
  expect(missing).toEqual([
    { line: 1, text: '/none' },
    { line: 2, text: '/none.html' },
    { line: 3, text: '/no/:splat' },
  ]);
  expect(rulesOf(lines)).toEqual([
    'Exact /a 301 /none',
    'Exact /a/ 301 /none',
    'Exact /d 301 https://example.com/',
    'Exact /d/ 301 https://example.com/',
  ]);
});

test('no rule leads to itself', () => {
  expect(read(['/* /:splat 301'])).toMatchObject({ rules: [], missing: [{ line: 1 }] });
});

test('a site with lines has a start page for what is not found only where they say so', () => {
  const files = ['index.html'];
  expect(rulesOf(['/a /'], files).at(-1)).toBe('Subtree / 404 ');
  expect(rulesOf(['/a /', '/* / 200'], files).at(-1)).toBe('Subtree / 200 /');
  expect(rulesOf(['/a /']).at(-1)).toBe('Exact /a/ 301 /');
  expect(rulesOf(['# Nothing', '/a'], files)).toEqual([]);
});

test('rules and their characters are bounded', () => {
  const many = Array.from({ length: 6_000 }, (_, n) => `new/${n}.txt`);
  expect(() => read(['/a/* /new/:splat', '/b/* /new/:splat'], many)).toThrow(
    'comes to more than 10000 addresses',
  );
  const lines = Array.from({ length: 2_001 }, (_, n) => `/${n}/* /about`);
  expect(() => read(lines.slice(0, 1_001))).toThrow('more than 1000 rules with * or placeholders');
  expect(() => read(lines.map((line) => line.replace('*', 'x')))).toThrow(
    '_redirects has more than 2000 rules',
  );
  const long = Array.from({ length: 600 }, (_, n) => `/${n}${'a'.repeat(1_000)} /about`);
  expect(() => read(long)).toThrow('more than 1000000 characters');
});
