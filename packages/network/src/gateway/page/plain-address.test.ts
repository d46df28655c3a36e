import { expect, test } from 'vitest';
import { plainAddress } from './plain-address.ts';

test.each([
  ['/', '/'],
  ['/a/b', '/a/b'],
  ['/a%20b/?x=//', '/a%20b/?x=//'],
  ['//', '/'],
  ['////', '/'],
  ['//a', '/a'],
  ['/a//b', '/a/b'],
  ['/a//', '/a/'],
  ['/a%2f%2Fb', '/a/b'],
  ['/%2f', '/'],
  ['//a%20b/%3F%23%25?x=1&y=//', '/a%20b/%3F%23%25?x=1&y=//'],
  ['//%C3%A9', '/%C3%A9'],
  ['//..//.', '/../.'],
  ['/'.repeat(15_000), '/'],
])('%j is %j', (url, plain) => {
  expect(plainAddress(url)).toBe(plain);
  expect(plainAddress(plain)).toBe(plain);
});

test.each(['/%', '/%zz', '/%ff', '/a#b', '/a'.repeat(1_025), `/${'/a'.repeat(4_000)}`])(
  'no page at %j can be verified',
  (url) => {
    expect(() => plainAddress(url)).toThrow(expect.objectContaining({ status: 400 }));
  },
);
