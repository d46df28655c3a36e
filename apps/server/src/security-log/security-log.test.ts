import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLogger } from '../log/logger.ts';
import { inRequest, knowUser, logFields } from '../log/request-context.ts';
import { newSecret } from '../secrets.ts';
import { type EventDetails, type SecurityEvent, securityEvents } from './security-events.ts';
import { SecurityLog } from './security-log.ts';

const USER = '01980f5e-7a44-7cc0-a7f2-3f1f4f2f8c11';

function recorded(logLevel: 'silent' | 'warn' | 'trace' = 'silent', isTerminal = false) {
  const lines: string[] = [];
  let now = 0;
  const log = createLogger({ logLevel }, (line) => lines.push(line), isTerminal);
  const security = new SecurityLog({ log, isOn: true, now: () => now });
  return {
    lines,
    security,
    parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test.each(['silent', 'warn', 'trace'] as const)('an event is a line at the level %s', (level) => {
  const { security, parsed } = recorded(level);
  inRequest('request-1', () => security.note('sign_in_completed', { provider: 'embedded', user: USER }), {
    address: '192.0.2.7',
    user: undefined,
  });
  expect(parsed()).toEqual([
    {
      level: 30,
      time: expect.any(String),
      request_id: 'request-1',
      security: 'sign_in_completed',
      provider: 'embedded',
      user: USER,
      address: '192.0.2.7',
      msg: 'A user has signed in',
    },
  ]);
});

test('it is off when the operator says so', () => {
  const lines: string[] = [];
  const log = createLogger({ logLevel: 'trace' }, (line) => lines.push(line));
  new SecurityLog({ log, isOn: false }).note('sign_out', { user: USER });
  expect(lines).toEqual([]);
});

test('the user of a request is in its events from when it is known, and in no other line of the log', () => {
  const { security, parsed } = recorded();
  inRequest(
    'request-1',
    () => {
      security.note('credential_refused');
      knowUser(USER);
      security.note('right_refused', { code: 'not_allowed' });
      expect(logFields()).toEqual({ request_id: 'request-1' });
    },
    { address: '::1', user: undefined },
  );
  expect(parsed().map(({ user }) => user)).toEqual([undefined, USER]);
});

test.each([
  ['a line break', 'x\n{"level":30,"security":"sign_in_completed"}'],
  ['an escape of a terminal', '\u001b[2J'],
  ['a line separator', 'a\u2028b'],
  ['a text without end', 'a'.repeat(100_000)],
  ['a sentence', 'this was me'],
])('what a stranger has written cannot become a line or a field: %s', (_what, hostile) => {
  const { security, lines, parsed } = recorded();
  const details: EventDetails = { thing: hostile, route: hostile, user: hostile };
  inRequest('request-1', () => security.note('foreign_or_absent', details), {
    address: hostile,
    user: undefined,
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.length).toBeLessThan(400);
  for (const character of ['\r', '\n', '\u2028', '\u001b'])
    expect(lines[0]?.trimEnd()).not.toContain(character);
  expect(parsed()).toMatchObject([
    { security: 'foreign_or_absent', thing: 'unreadable', route: 'unreadable', address: 'unreadable' },
  ]);
});

test('a secret in a field is taken out, as of every line', () => {
  const { security, lines } = recorded();
  const secret = newSecret();
  security.note('api_token_created', { token_id: secret });
  expect(lines.join('')).not.toContain(secret);
});

test('a flood of one client is ten lines and a summary, whatever addresses of its network it has', () => {
  const { security, parsed, pass } = recorded();
  for (let at = 0; at < 500; at += 1)
    inRequest(`request-${at}`, () => security.note('rate_exceeded'), {
      address: `2001:db8:1:2::${at.toString(16)}`,
      user: undefined,
    });
  expect(parsed()).toHaveLength(10);
  pass(60_000);
  security.note('sign_out', { user: USER });
  expect(parsed().slice(10)).toMatchObject([
    { security: 'rate_exceeded', more: 490, client: 'address:2001:db8:1:2' },
    { security: 'sign_out' },
  ]);
});

test('the summary of an unreadable address is plain too', () => {
  const { security, lines } = recorded();
  const client = { address: 'a\n"\u001b[2J', user: undefined };
  for (let at = 0; at < 20; at += 1) inRequest('request-1', () => security.note('rate_exceeded'), client);
  security[Symbol.dispose]();
  expect(lines.at(-1)).toContain('"client":"address:unreadable"');
});

test('the use of a token is a line once in an hour for each address, and none is lost at another', () => {
  const { security, parsed, pass } = recorded();
  const use = (token: string, address: string): void =>
    inRequest('request-1', () => security.noteUse('api_token_used', { token, user: USER }), {
      address,
      user: undefined,
    });
  for (let at = 0; at < 1000; at += 1) use('token-1', '192.0.2.1');
  expect(parsed()).toHaveLength(1);
  use('token-1', '192.0.2.2');
  use('token-2', '192.0.2.1');
  expect(parsed()).toHaveLength(3);
  pass(59 * 60_000);
  use('token-1', '192.0.2.1');
  expect(parsed()).toHaveLength(3);
  pass(60_000);
  use('token-1', '192.0.2.1');
  expect(parsed()).toHaveLength(4);
});

test('on a terminal a sign-in is one short line, without JSON', () => {
  const { security, lines } = recorded('warn', true);
  inRequest('request-1', () => security.note('sign_in_completed', { provider: 'embedded', user: USER }), {
    address: '127.0.0.1',
    user: undefined,
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d A user has signed in \(provider embedded, user [\da-f-]{36}, address 127\.0\.0\.1\)\n$/,
  );
  expect(lines[0]?.length).toBeLessThan(120);
});

test('other lines of the log look on a terminal as elsewhere', () => {
  const lines: string[] = [];
  createLogger({ logLevel: 'warn' }, (line) => lines.push(line), true).warn({ security: 1 }, 'security');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: 'security' });
});

test('the table for operators has every event with what it is, and no other', () => {
  const text = readFileSync(new URL('../../../../docs/operations/observability.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## The security log'), text.indexOf('## What it costs'));
  const rows = [...section.matchAll(/^\| `(\w+)` \| (done|refused) \|/gm)];
  const documented = Object.fromEntries(rows.map(([, event, kind]) => [event, kind]));
  const inCode = Object.keys(securityEvents).map((event) => [
    event,
    securityEvents[event as SecurityEvent].isRefusal ? 'refused' : 'done',
  ]);
  expect(documented).toEqual(Object.fromEntries(inCode));
  expect(rows).toHaveLength(inCode.length);
});
