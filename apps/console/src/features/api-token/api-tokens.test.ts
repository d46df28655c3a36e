import { expect, test } from 'vitest';
import { deploysText, expiryText, isExpired, scopesText } from './api-tokens.ts';

test('scopes in words, whatever their order, and unknown ones as they are', () => {
  expect(scopesText(['deploys:run', 'deploys:read'])).toBe('Run deploys and read them');
  expect(scopesText(['deploys:read'])).toBe('Read deploys and their logs');
  expect(scopesText(['deploys:run'])).toBe('Run deploys only');
  expect(scopesText(['deploys:read', 'canisters:read'])).toBe('deploys:read, canisters:read');
});

test('deploys by their names, and as a count where a name is not known', () => {
  const deploys = [
    { id: 'a', name: 'Bakery' },
    { id: 'b', name: null },
  ];
  expect(deploysText(null, deploys)).toBe('all deploys');
  expect(deploysText(['a'], deploys)).toBe('Bakery');
  expect(deploysText(['gone'], deploys)).toBe('one deploy');
  expect(deploysText(['a', 'b'], deploys)).toBe('2 deploys');
});

test('a token expires at its moment', () => {
  const at = '2027-01-02T12:00:00.000Z';
  const moment = Date.parse(at);
  expect([isExpired({ expires_at: at }, moment - 1), isExpired({ expires_at: at }, moment)]).toEqual([
    false,
    true,
  ]);
  expect(isExpired({ expires_at: null }, moment)).toBe(false);
  expect(expiryText({ expires_at: at }, moment - 1)).toBe('expires Jan 02, 2027');
  expect(expiryText({ expires_at: at }, moment)).toBe('expired Jan 02, 2027');
  expect(expiryText({ expires_at: null })).toBe('does not expire');
});
