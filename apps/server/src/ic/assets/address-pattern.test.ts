import { expect, test } from 'vitest';
import { AddressPattern } from './address-pattern.ts';

const matched = (pattern: string, path: string): Record<string, string> | null => {
  const captures = new AddressPattern(pattern).match(path);
  return captures === null ? null : Object.fromEntries(captures);
};

test.each([
  ['/a', '/a', {}],
  ['/a', '/b', null],
  ['/a', '/a/', null],
  ['/*', '/', { splat: '' }],
  ['/*', '/a/b', { splat: 'a/b' }],
  ['/a/*', '/a/', { splat: '' }],
  ['/a/*', '/a', null],
  ['/*.css', '/x/a.css', { splat: 'x/a' }],
  ['/*.css', '.css', null],
  ['/a/*/index.html', '/a/b/c/index.html', { splat: 'b/c' }],
  ['/new/:splat.html', '/new/a/b.html', { splat: 'a/b' }],
  ['/user/:id', '/user/7', { id: '7' }],
  ['/user/:id', '/user/', null],
  ['/user/:id', '/user/7/edit', null],
  ['/user/:id/edit', '/user/7/edit', { id: '7' }],
  ['/:year-:month-:day/:slug', '/2026-11-27/a-b', { year: '2026', month: '11', day: '27', slug: 'a-b' }],
  ['/:year-:month', '/2026', null],
  ['/:year-x', '/20/a-x', null],
  ['/:a/:a', '/x/x', { a: 'x' }],
  ['/:a/:a', '/x/y', null],
  ['/a:8/b', '/a:8/b', {}],
  ['/:lang/*', '/de/a/b', { lang: 'de', splat: 'a/b' }],
  ['/:__proto__/x', '/y/x', Object.fromEntries([['__proto__', 'y']])],
])('%s for %s', (pattern, path, captures) => {
  expect(matched(pattern, path)).toEqual(captures);
});

test('values are filled in, and what has none stays', () => {
  const pattern = new AddressPattern('/:lang/blog/:slug/*');
  expect(pattern.names).toEqual(['lang', 'slug', 'splat']);
  expect(
    pattern.fill(
      new Map([
        ['slug', 'a'],
        ['splat', 'b/c'],
      ]),
    ),
  ).toBe('/:lang/blog/a/b/c');
  expect(pattern.fill(new Map([['lang', 'de']]))).toBe('/de/blog/:slug/*');
});

test.each([
  ['/a*b*', 'more than one'],
  ['/*/:name', 'a placeholder follows'],
  ['/:a:b', 'follow each other'],
  [`/${'a'.repeat(2_000)}`, 'longer than 2000'],
])('%s cannot be matched in one pass', (pattern, reason) => {
  expect(() => new AddressPattern(pattern)).toThrow(reason);
});
