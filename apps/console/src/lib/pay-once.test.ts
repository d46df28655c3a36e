import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { payOnce } from './pay-once.ts';

const answer = (status: number, code: string): ApiError => new ApiError('no', { status, code });

/** The keys of attempts at a payment, each ending as told. */
async function keysOf(purpose: string, ends: readonly (Error | 'paid')[], stepMs = 1000): Promise<string[]> {
  const keys: string[] = [];
  let now = 0;
  for (const end of ends) {
    now += stepMs;
    const attempt = payOnce(
      purpose,
      async (key) => {
        keys.push(key);
        if (end !== 'paid') throw end;
      },
      () => now,
    );
    await (end === 'paid' ? attempt : expect(attempt).rejects.toBe(end));
  }
  return keys;
}

test.each([
  ['no answer', ApiError.unreachable(new Error('connection closed'))],
  ['an answer that cannot be read', ApiError.unreadable('/canister/topup', new Error('not JSON'))],
  ['a server in trouble', answer(503, 'network_unavailable')],
  ['an earlier attempt under way', answer(409, 'canister_busy')],
])('after %s the same payment keeps its key until it is paid', async (name, error) => {
  const [first, second, third, next] = await keysOf(name, [error, error, 'paid', 'paid']);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(next).not.toBe(first);
});

test('a refusal is an outcome: the next attempt is a new payment', async () => {
  const [first, second] = await keysOf('refused', [answer(400, 'insufficient_cycles'), 'paid']);
  expect(second).not.toBe(first);
});

test('another payment has another key', async () => {
  const gone = ApiError.unreachable(new Error('connection closed'));
  const [first] = await keysOf('one', [gone]);
  const [other] = await keysOf('other', ['paid']);
  expect(other).not.toBe(first);
});

test('after two minutes it is taken for a new payment', async () => {
  const gone = ApiError.unreachable(new Error('connection closed'));
  const [first, second] = await keysOf('later', [gone, 'paid'], 120_000);
  expect(second).not.toBe(first);
});
