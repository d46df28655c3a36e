import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { toAppError } from './handle-errors.ts';
import { testHttpApp } from './http-app.testing.ts';

/** A server whose log is read, with a call that fails in each way. */
async function appWithLog(level: 'info' | 'warn'): Promise<{
  refuse: (query: string) => Promise<unknown>;
  lines: Record<string, unknown>[];
  close: () => Promise<void>;
}> {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const { app } = await testHttpApp({ log: pino({ level, base: null }, { write }) });
  app.get<{ Querystring: { fail: string } }>('/fail', async ({ query }) => {
    if (query.fail === 'unexpected') throw new Error('a secret of the inside');
    throw new AppError(query.fail as 'not_allowed', 'No.');
  });
  return {
    refuse: async (query) => (await app.inject({ url: `/fail?fail=${query}&token=secret` })).json(),
    lines,
    close: () => app.close(),
  };
}

test('refused credentials, rights and rates are logged with who and what, and other refusals are not', async () => {
  const { refuse, lines, close } = await appWithLog('info');
  for (const code of ['unauthenticated', 'sign_in_failed', 'not_allowed', 'rate_limited', 'not_found'])
    await refuse(code);
  // Each request has a line for itself as well.
  expect(lines.filter((line) => 'refused' in line)).toMatchObject(
    ['unauthenticated', 'sign_in_failed', 'not_allowed', 'rate_limited'].map((refused) => ({
      refused,
      method: 'GET',
      path: '/fail',
      address: '127.0.0.1',
      time: expect.any(Number),
    })),
  );
  expect(JSON.stringify(lines)).not.toContain('secret');
  await close();
});

test('what failed unexpectedly is logged whole, and its caller learns nothing of it', async () => {
  const { refuse, lines, close } = await appWithLog('warn');
  await refuse('not_allowed');
  expect(lines).toEqual([]);
  const answer = await refuse('unexpected');
  expect(answer).toMatchObject({ code: 'internal' });
  expect(JSON.stringify(answer)).not.toContain('inside');
  expect(JSON.stringify(lines)).toContain('a secret of the inside');
  expect(JSON.stringify(lines)).not.toContain('token=secret');
  await close();
});

test('what failed first is answered, also where what was in use could not be given back then', () => {
  const failed = new AppError('database_unavailable', 'Away.');
  expect(toAppError(new SuppressedError(new Error('not given back'), failed))).toBe(failed);
  expect(toAppError(new SuppressedError(failed, new Error('cut off')))).toBe(failed);
  expect(toAppError(new SuppressedError(new Error('not given back'), new Error('a fault')))).toBeUndefined();
});
