import { expect, test } from 'vitest';
import { displayName, initials } from './avatar.tsx';

test('[NAV-16] the greeting uses the name, or @username without one', () => {
  expect(displayName({ name: 'Ada Lovelace', username: 'ada' })).toBe('Ada Lovelace');
  expect(displayName({ name: '  ', username: 'ada' })).toBe('@ada');
});

test('initials stand in for a picture', () => {
  expect(initials({ name: 'Ada King Lovelace', username: 'ada' })).toBe('AL');
  expect(initials({ name: '', username: 'ada' })).toBe('A');
  expect(initials({ name: '😀 smile', username: 'x' })).toBe('😀S');
});
