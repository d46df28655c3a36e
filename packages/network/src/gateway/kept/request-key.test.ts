import { describe, expect, test } from 'vitest';
import { isPlainKey, keyOf, variesByFromWhere } from './request-key.ts';

const head = (...lines: readonly string[]): string =>
  `${['GET /a?b HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`;

test('lines that tell where a request came from are left out, and nothing else', () => {
  const plain = head('Host: x', 'Accept: */*');
  for (const line of [
    'X-Forwarded-For: 10.0.0.1, ::1',
    'x-real-ip: 10.0.0.1',
    'X-Request-ID: 1',
    'Forwarded: for="[::1]"',
    'traceparent: 00-1-2-01',
    'CF-Ray:',
  ]) {
    expect(keyOf(head('Host: x', line, 'Accept: */*'))).toBe(plain);
    expect(keyOf(head(line, 'Host: x', 'Accept: */*', line, line))).toBe(plain);
  }
  for (const line of [
    'X-Forwarded-Proto: https',
    'X-Forwarded-Fo: 1',
    'X-Real-IP : 1',
    'X-Real-IP: \u00ff',
    'X-Real-IP: a\tb',
    'TE: trailers',
    'User-Agent: X-Real-IP: 1',
    'Cookie: a',
    'Accept-Encoding: gzip',
    'Range: bytes=0-1',
  ]) {
    expect(keyOf(head('Host: x', line)), line).toBe(head('Host: x', line));
  }
  expect(keyOf('GET /\r\nx-real-ip: 1 HTTP/1.1\r\n\r\n')).not.toContain('x-real-ip');
  expect(isPlainKey(keyOf('GET /\r\nx-real-ip: 1 HTTP/1.1\r\n\r\n'))).toBe(false);
});

describe('a key that everybody reads alike', () => {
  test.each([head('Host: x'), head('Host:x', 'A-b_c: \t;"'), head('Host: x').replace('GET', 'HEAD')])(
    '%j',
    (key) => {
      expect(isPlainKey(key)).toBe(true);
    },
  );

  test.each([
    head(),
    head('Host: x').replace('GET', 'POST'),
    head('Host: x').replace('GET', 'get'),
    head('Host: x').replace('GET ', 'GET  '),
    head('Host: x').replace('HTTP/1.1', 'HTTP/2.0'),
    head('Host: x').replace('/a', '/\u00ff'),
    head('Host : x'),
    head('Host: x', ' folded'),
    head('Host: x', '\tfolded'),
    head('Host: x', 'no colon'),
    head('Host: x', ': nameless'),
    head('Host: x', 'A: \u0000'),
    head('Host: x', 'A: \u00ff'),
    head('Host: x\nA: b'),
    head('Host: x\rA: b'),
    head('Host: x').replaceAll('\r\n', '\n'),
    `\r\n${head('Host: x')}`,
    `${head('Host: x')}G`,
    `${head('Host: x')}\r\n`,
    head('Host: x').slice(0, -2),
    // What is left where a line is folded.
    keyOf(head('Host: x', 'X-Real-IP: 1', ' folded')),
  ])('not %j', (key) => {
    expect(isPlainKey(key)).toBe(false);
  });
});

test('an answer that varies by what is left out is known', () => {
  for (const vary of ['*', 'X-Forwarded-For', 'Accept, x-real-ip', 'a,*'])
    expect(variesByFromWhere(vary)).toBe(true);
  for (const vary of ['', 'Accept-Encoding', 'X-Forwarded-Proto, Cookie'])
    expect(variesByFromWhere(vary)).toBe(false);
});
