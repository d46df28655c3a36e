import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import { NetworkGivenUpError, NetworkPatience } from './patience.ts';

const away = (): Promise<never> => Promise.reject(new AppError('network_unavailable', 'No answer.'));
const WAITS = 'The network does not answer. Waiting for it, 2 s at most.';
const BACK = 'The network answers again.';

function patienceOf(longestMs = 2_000) {
  const said: string[] = [];
  const over = new AbortController();
  const patience = new NetworkPatience({ signal: over.signal, say: (line) => said.push(line), longestMs });
  return { patience, said, over };
}

test('what is asked while the network is away is asked again, and the wait is told once for all that wait', async () => {
  const { patience, said } = patienceOf();
  let asked = 0;
  const ask = async (): Promise<string> => {
    asked += 1;
    return asked <= 6 ? away() : 'here';
  };
  expect(await Promise.all([1, 2, 3].map(() => patience.through(ask)))).toEqual(['here', 'here', 'here']);
  expect(asked).toBe(9);
  expect(said).toEqual([WAITS, BACK]);
  expect(patience.outages).toBe(1);
});

test('a refusal is an answer', async () => {
  const { patience, said } = patienceOf();
  const refusal = new AppError('network_rejected', 'No.');
  const answers = [away, () => Promise.reject(refusal)];
  const ask = (): Promise<never> => answers.shift()?.() ?? away();
  await expect(patience.through(ask)).rejects.toBe(refusal);
  expect(said).toEqual([WAITS, BACK]);
  const broken = new TypeError('x');
  await expect(patience.through(() => Promise.reject(broken))).rejects.toBe(broken);
});

test('the wait ends at its bound, also when the network takes a question and says nothing, and nothing waits after that until it answers', async () => {
  const { patience, said } = patienceOf(1_200);
  const start = performance.now();
  let asked = 0;
  const ask = (): Promise<never> => {
    asked += 1;
    return asked === 1 ? away() : new Promise(() => undefined);
  };
  await expect(patience.through(ask)).rejects.toThrow(NetworkGivenUpError);
  expect(performance.now() - start).toBeGreaterThan(1_100);
  expect(asked).toBe(2);
  let late = 0;
  const askLate = (): Promise<never> => {
    late += 1;
    return away();
  };
  await expect(patience.through(askLate)).rejects.toThrow(NetworkGivenUpError);
  expect(late).toBe(1);
  expect(said).toEqual(['The network does not answer. Waiting for it, 1.2 s at most.']);
  expect(await patience.through(async () => 'here')).toBe('here');
  expect(said.at(-1)).toBe(BACK);
});

test('its signal ends a wait, in the pause and in a question; what ends work then is still tried once', async () => {
  for (const silent of [false, true]) {
    const { patience, over } = patienceOf(60_000);
    let asked = 0;
    const waiting = patience.through(() => {
      asked += 1;
      return silent && asked > 1 ? new Promise<never>(() => undefined) : away();
    });
    waiting.catch(() => undefined);
    await delay(800);
    const before = asked;
    over.abort(new Error('cancelled'));
    // Long before the minute is over, and without one more question.
    await expect(waiting).rejects.toThrow(NetworkGivenUpError);
    expect(asked).toBe(before);
    expect(await patience.through(async () => 'here')).toBe('here');
  }
});

test('a limit counts the time in which the network is there', async () => {
  const { patience } = patienceOf();
  const start = performance.now();
  const limit = patience.limit(400);
  const backAt = start + 1_000;
  await patience.through(() => (performance.now() < backAt ? away() : Promise.resolve('here')));
  expect(limit.aborted).toBe(false);
  await expect.poll(() => limit.aborted, { timeout: 2_000 }).toBe(true);
  expect(performance.now() - start).toBeGreaterThan(1_350);
});
