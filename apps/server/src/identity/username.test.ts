import { expect, test } from 'vitest';
import { usernameFrom, usernameProblem } from './names.ts';

test.each(['ada', 'Ada.Lovelace', 'a', '_x', 'a-b_c.d', '0x', 'x'.repeat(39)])(
  '%s can be a username',
  (name) => {
    expect(usernameProblem(name)).toBeUndefined();
  },
);

test.each([
  '',
  ' ',
  'x'.repeat(40),
  '.',
  '..',
  '-rf',
  '.git',
  'a..b',
  'a.git',
  'a.LOCK',
  'a/b',
  'a b',
  'é',
  'a\n',
  'api',
  'Login',
])('%j cannot be a username', (name) => {
  expect(usernameProblem(name)).toBeTypeOf('string');
});

test('a username is made of what the provider says, else a plain one', () => {
  expect(usernameFrom(undefined, 'ada.lovelace@example.org')).toBe('ada-lovelace');
  expect(usernameFrom('Zoë Ångström')).toBe('Zoe-A-ngstro-m');
  expect(usernameFrom('api', '***')).toBe('user');
});
