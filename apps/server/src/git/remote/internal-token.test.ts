import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodyHash, DOOR, InternalTokens, internalToken } from './internal-token.ts';

const key = randomBytes(32);
const NOW = Date.UTC(2026, 0, 1);
const asked = {
  kind: 'once',
  method: 'POST',
  path: `${DOOR}/call`,
  body: bodyHash('{}'),
  user: 'u1',
  folder: 'f1',
} as const;
const request = { method: 'POST', path: `${DOOR}/call` };
const claimsOf = (header: string | undefined, of: typeof request = request, now = NOW) =>
  new InternalTokens({ accepted: () => [key] }).claimsOf(header, of, now);

test('a token opens the one request that it was made for, once', () => {
  const tokens = new InternalTokens({ accepted: () => [key] });
  const token = internalToken(key, asked, NOW);
  expect(tokens.claimsOf(token, request, NOW)).toMatchObject(asked);
  expect(tokens.claimsOf(token, request, NOW)).toBeUndefined();
  // Another one of the same request is another token.
  expect(tokens.claimsOf(internalToken(key, asked, NOW), request, NOW)).toMatchObject(asked);
});

test.each([
  ['another path', { ...request, path: `${DOOR}/lfs` }],
  ['another query', { ...request, path: `${DOOR}/call?x=1` }],
  ['another method', { ...request, method: 'GET' }],
])('%s is not opened', (_what, other) => {
  expect(claimsOf(internalToken(key, asked, NOW), other)).toBeUndefined();
});

test('a token works for seconds, also where clocks differ by some', () => {
  const token = internalToken(key, asked, NOW);
  for (const [seconds, works] of [
    [-4, true],
    [-6, false],
    [14, true],
    [16, false],
  ] as const)
    expect(claimsOf(token, request, NOW + seconds * 1000) !== undefined, `${seconds}`).toBe(works);
});

test('what is not signed by the key is nothing, whatever its form is', () => {
  const token = internalToken(key, asked, NOW);
  const [text = '', signature = ''] = token.slice('Cannery-Internal '.length).split('.');
  const changed = Buffer.from(JSON.stringify({ ...asked, user: 'u2', expires: NOW, nonce: 'x' }));
  for (const header of [
    undefined,
    '',
    'Bearer x',
    `Bearer ${text}.${signature}`,
    `Cannery-Internal ${text}`,
    `Cannery-Internal ${text}.`,
    `Cannery-Internal ${text}.${signature}.${signature}`,
    `Cannery-Internal ${changed.toString('base64url')}.${signature}`,
    internalToken(randomBytes(32), asked, NOW),
    `Cannery-Internal ${'a'.repeat(100_000)}.${signature}`,
  ])
    expect(claimsOf(header), header?.slice(0, 80)).toBeUndefined();
});

test('a token of a fetch opens the two requests by which git reads that repository, and no other', () => {
  const tokens = new InternalTokens({ accepted: () => [key] });
  const path = `${DOOR}/fetch/3f`;
  const token = internalToken(key, { ...asked, kind: 'fetch', method: 'FETCH', path, body: 'stream' }, NOW);
  const opens = (method: string, at: string, now = NOW + 59_000): boolean =>
    tokens.claimsOf(token, { method, path: at }, now) !== undefined;
  expect(opens('GET', `${path}/info/refs?service=git-upload-pack`)).toBe(true);
  expect(opens('POST', `${path}/git-upload-pack`)).toBe(true);
  expect(opens('POST', `${path}/git-upload-pack`)).toBe(true);
  expect(opens('GET', `${path}/info/refs?service=git-receive-pack`)).toBe(false);
  expect(opens('POST', `${path}/git-receive-pack`)).toBe(false);
  expect(opens('POST', `${DOOR}/fetch/4f/git-upload-pack`)).toBe(false);
  expect(opens('POST', `${DOOR}/call`)).toBe(false);
  expect(opens('POST', `${path}/git-upload-pack`, NOW + 70_000)).toBe(false);
});
