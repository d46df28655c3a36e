import { expect, test } from 'vitest';
import { siteNameProblem, tidySiteName } from './site-name.ts';

test.each(['shop', 'my-shop', '2048', 'a1-b2-c3', 'a'.repeat(63), 'rrkah', 'one--off'])(
  '%s can be the name of a site',
  (name) => expect(siteNameProblem(name)).toBeUndefined(),
);

test.each([
  '',
  'ab',
  'a'.repeat(64),
  '-shop',
  'shop-',
  'my shop',
  'my.shop',
  'my_shop',
  'käse',
  'shop\n',
  'ab--cd',
  'xn--shop-9ta',
  'rrkah-fqaaa-aaaaa-aaaaq-cai',
  'rrkah-fqaaa-aaaaa-aaaaq-caj',
  'abcde-f',
  'raw',
  'www',
  'api',
  'console',
  'wpad',
  'login',
])('%j cannot', (name) => expect(siteNameProblem(name)).toMatch(/^[A-Z].*\.$/));

test('a name is the same in any letters', () => expect(tidySiteName(' My-Shop\n')).toBe('my-shop'));
