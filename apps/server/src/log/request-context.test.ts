import { expect, test } from 'vitest';
import {
  currentRequestId,
  inJob,
  inRequest,
  logFields,
  outsideRequest,
  requestIdOf,
} from './request-context.ts';
import { newSecret } from '../secrets.ts';

test('a client may name a request by a short, plain word, and by nothing else', () => {
  for (const given of ['abcdef12', '01980f5e-7a44-7cc0-a7f2-3f1f4f2f8c11', 'A'.repeat(40)])
    expect(requestIdOf(given)).toBe(given);
  const others = [
    undefined,
    '',
    'short',
    'A'.repeat(41),
    newSecret(),
    `cnry_${newSecret()}`,
    'a b c d e f g',
    'abcdefg\n{"level":60}',
    'abcdefg"',
    '-abcdefgh',
    'abcdefgé',
    ['abcdef12', 'abcdef13'],
  ];
  const made = others.map(requestIdOf);
  for (const [at, id] of made.entries()) {
    expect(id).not.toBe(others[at]);
    expect(requestIdOf(id)).toBe(id);
  }
  expect(new Set(made).size).toBe(others.length);
});

test('what is done for a request has its name, also later, and what others have asked for has not', async () => {
  expect(currentRequestId()).toBeUndefined();
  await inRequest('request-1', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(logFields()).toEqual({ request_id: 'request-1' });
    outsideRequest(() => expect(logFields()).toEqual({}));
    await inJob({ queue: 'builds', requestId: 'request-2', run: 'r' }, async () => {
      await Promise.resolve();
      expect(logFields()).toEqual({ request_id: 'request-2', job: 'builds', run: 'r' });
    });
    expect(currentRequestId()).toBe('request-1');
  });
});
