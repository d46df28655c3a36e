import { expect, test } from 'vitest';
import { readSignInToken } from './sign-in-token.ts';

test('[AUTH-03] the token of /login is read and leaves the address', () => {
  expect(readSignInToken({ pathname: '/login', search: '?token=0123&error=x' })).toEqual({
    token: '0123',
    cleaned: '/login?error=x',
  });
  expect(readSignInToken({ pathname: '/login/', search: '?token=abc' })).toEqual({
    token: 'abc',
    cleaned: '/login/',
  });
});

test('elsewhere a parameter of that name is left alone', () => {
  expect(readSignInToken({ pathname: '/ics/dashboard', search: '?token=abc' })).toEqual({
    token: undefined,
    cleaned: '/ics/dashboard?token=abc',
  });
});
