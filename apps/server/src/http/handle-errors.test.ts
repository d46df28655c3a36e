import { pino } from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { SecurityLog } from '../security-log/security-log.ts';
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
  const log = pino({ level, base: null }, { write });
  const { app } = await testHttpApp({ log, security: new SecurityLog({ log, isOn: true }) });
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

test.each(['info', 'warn'] as const)(
  'refused credentials, rights, rates and inputs are logged with who and what at the level %s, and other refusals are not',
  async (level) => {
    const { refuse, lines, close } = await appWithLog(level);
    const events = {
      unauthenticated: 'credential_refused',
      not_allowed: 'right_refused',
      rate_limited: 'rate_exceeded',
      invalid_input: 'input_refused',
      quota_reached: 'rule_refused',
    };
    for (const code of [...Object.keys(events), 'sign_in_failed', 'not_found', 'canister_busy'])
      await refuse(code);
    // Each request has a line for itself as well.
    expect(lines.filter((line) => 'security' in line)).toMatchObject(
      Object.entries(events).map(([code, security]) => ({
        security,
        code,
        method: 'GET',
        route: '/fail',
        address: '127.0.0.1',
        time: expect.any(Number),
      })),
    );
    expect(JSON.stringify(lines)).not.toContain('secret');
    await close();
  },
);

test('what failed unexpectedly is logged whole, and its caller learns nothing of it', async () => {
  const { refuse, lines, close } = await appWithLog('warn');
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
