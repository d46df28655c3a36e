import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { askOnce, holdKeys } from './ask-once.ts';

const answer = (status: number, code: string): ApiError => new ApiError('no', { status, code });

/** The keys of attempts at a request, each ending as told. */
async function keysOf(purpose: string, ends: readonly (Error | 'done')[], stepMs = 1000): Promise<string[]> {
  const keys: string[] = [];
  let now = 0;
  for (const end of ends) {
    now += stepMs;
    const attempt = askOnce(
      purpose,
      async (key) => {
        keys.push(key);
        if (end !== 'done') throw end;
      },
      () => now,
    );
    await (end === 'done' ? attempt : expect(attempt).rejects.toBe(end));
  }
  return keys;
}

test.each([
  ['no answer', ApiError.unreachable(new Error('connection closed'))],
  ['an answer that cannot be read', ApiError.unreadable('/canister/topup', new Error('not JSON'))],
  ['a server in trouble', answer(503, 'network_unavailable')],
  ['an earlier attempt under way', answer(409, 'canister_busy')],
])('after %s the same request keeps its key until it is answered', async (name, error) => {
  const [first, second, third, next] = await keysOf(name, [error, error, 'done', 'done']);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(next).not.toBe(first);
});

test('a refusal is an outcome: the next attempt is a new request', async () => {
  const [first, second] = await keysOf('refused', [answer(400, 'insufficient_cycles'), 'done']);
  expect(second).not.toBe(first);
});

test('another request has another key', async () => {
  const gone = ApiError.unreachable(new Error('connection closed'));
  const [first] = await keysOf('one', [gone]);
  const [other] = await keysOf('other', ['done']);
  expect(other).not.toBe(first);
});

test('after two minutes it is taken for a new request', async () => {
  const gone = ApiError.unreachable(new Error('connection closed'));
  const [first, second] = await keysOf('later', [gone, 'done'], 120_000);
  expect(second).not.toBe(first);
});

test('while a second try is on offer it is the same request; afterwards for two minutes more', async () => {
  const gone = ApiError.unreachable(new Error('connection closed'));
  let now = 0;
  const clock = () => now;
  const keyOf = async (purpose: string, end: Error | 'done' = gone): Promise<string> => {
    let used = '';
    const attempt = askOnce(
      purpose,
      async (key) => {
        used = key;
        if (end !== 'done') throw end;
      },
      clock,
    );
    await attempt.catch(() => undefined);
    return used;
  };
  const old = await keyOf('too old to be offered');
  now = 120_000;
  const [first, second] = [await keyOf('offered'), await keyOf('offered as well')];
  const [release, releaseOther] = [holdKeys(clock), holdKeys(clock)];
  now = 3_600_000;
  expect(await keyOf('too old to be offered')).not.toBe(old);
  expect(await keyOf('offered')).toBe(first);
  release();
  release();
  now = 7_200_000;
  expect(await keyOf('offered'), 'another offer is still on show').toBe(first);
  releaseOther();
  now += 119_999;
  expect(await keyOf('offered', 'done')).toBe(first);
  now += 1;
  expect(await keyOf('offered as well', 'done')).not.toBe(second);
});
