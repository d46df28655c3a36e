import { expect, test } from 'vitest';
import { signInCookies } from './cookies.ts';

const NAME = 'A'.repeat(43);

test('by https the cookie of a sign-in is one that no other host can plant', () => {
  const { begun, browserOf, marked } = signInCookies(true);
  expect(begun(NAME)).toBe(`__Host-sign-in=${NAME}; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure`);
  expect(browserOf({ '__Host-sign-in': NAME })).toBe(NAME);
  expect(browserOf({ 'sign-in': NAME })).toBeUndefined();
  expect(marked).toMatch(/; SameSite=Lax; Secure$/);
});

test('without TLS it is for the paths of the sign-in, and a name that the server would not make is none', () => {
  const { begun, browserOf } = signInCookies(false);
  expect(begun(NAME)).toBe(`sign-in=${NAME}; Path=/api/auth; Max-Age=900; HttpOnly; SameSite=Lax`);
  expect(browserOf({ 'sign-in': NAME })).toBe(NAME);
  for (const value of [undefined, '', 'short', `${NAME}=`, NAME + NAME]) {
    expect(browserOf(value === undefined ? {} : { 'sign-in': value })).toBeUndefined();
  }
});
