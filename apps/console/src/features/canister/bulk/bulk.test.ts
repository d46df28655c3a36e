import { expect, test } from 'vitest';
import { ApiError } from '../../../lib/api/api-error.ts';
import { runBulk } from './run-bulk.ts';
import { Selection } from './selection.ts';

const order = ['a', 'b', 'c', 'd', 'e'];
const controller = new AbortController();

test('a row is selected and taken out, with Shift all from the last one to this one', () => {
  const selection = new Selection();
  const selected = (): string => [...selection.get()].toSorted().join('');
  selection.set('b', true, { range: false, order });
  selection.set('d', true, { range: true, order });
  expect(selected()).toBe('bcd');
  selection.set('c', false, { range: false, order });
  selection.set('a', false, { range: true, order });
  expect(selected()).toBe('d');
  // The row where a range would begin is not on show.
  selection.set('e', true, { range: true, order: ['c', 'd', 'e'] });
  expect(selected()).toBe('de');
  selection.replace(order);
  expect([selected(), selection.has('a')]).toEqual(['abcde', true]);
  selection.replace([]);
  selection.set('c', true, { range: true, order });
  expect(selected()).toBe('c');
});

const refusal = (status: number, error: string): ApiError =>
  ApiError.fromAnswer(status, { error, message: error, code: 'x' });

interface Acts {
  readonly act: (id: string) => Promise<unknown>;
  readonly signal?: AbortSignal;
}

async function bulk(ids: readonly string[], { act, signal = controller.signal }: Acts) {
  const told: number[] = [];
  const pauses: number[] = [];
  const outcome = await runBulk(ids, {
    act,
    signal,
    onProgress: (over) => told.push(over),
    pause: async (ms) => {
      pauses.push(ms);
    },
  });
  return { ...outcome, told, pauses };
}

test('what fails is told one by one and keeps nothing else from being done', async () => {
  let atOnce = 0;
  let most = 0;
  const { done, failures, told } = await bulk(order, {
    act: async (id) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      if (id === 'd' || id === 'b') throw refusal(409, `${id} is busy.`);
    },
  });
  expect(done.toSorted()).toEqual(['a', 'c', 'e']);
  expect(failures).toEqual([
    { id: 'b', reason: 'b is busy.' },
    { id: 'd', reason: 'd is busy.' },
  ]);
  expect(told).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(3);
});

test('who asks too often waits longer and longer, and gives up in the end', async () => {
  let refusals = 3;
  const patient = await bulk(['a'], {
    act: async () => {
      if (refusals-- > 0) throw refusal(429, 'Too often.');
    },
  });
  expect([patient.done, patient.pauses]).toEqual([['a'], [2_000, 4_000, 8_000]]);
  const never = await bulk(['a'], {
    act: () => Promise.reject(refusal(429, 'Too often.')),
  });
  expect([never.failures, never.pauses.length]).toEqual([[{ id: 'a', reason: 'Too often.' }], 5]);
});

test('without a service nothing more is begun, and what was not begun says so', async () => {
  const asked: string[] = [];
  const { done, failures } = await bulk(order, {
    act: async (id) => {
      asked.push(id);
      await Promise.resolve();
      throw ApiError.unreachable(new TypeError('Failed to fetch'));
    },
  });
  expect([asked, done]).toEqual([['a', 'b', 'c'], []]);
  expect(failures.map(({ id, reason }) => [id, reason.startsWith('Not begun')])).toEqual([
    ['a', false],
    ['b', false],
    ['c', false],
    ['d', true],
    ['e', true],
  ]);
});

test('one that is cut short is done with what was begun', async () => {
  const cut = new AbortController();
  const { done, failures } = await bulk(order, {
    act: async (id) => {
      await Promise.resolve();
      if (id === 'b') cut.abort();
    },
    signal: cut.signal,
  });
  expect([done.length, failures]).toEqual([3, []]);
});

test('what waits for its turn when the rest is cut off is not begun again', async () => {
  const cut = new AbortController();
  const asked: string[] = [];
  const outcome = await runBulk(['a'], {
    act: (id) => {
      asked.push(id);
      return Promise.reject(refusal(429, 'Too often.'));
    },
    signal: cut.signal,
    onProgress: () => undefined,
    pause: async () => cut.abort(),
  });
  expect([asked, outcome]).toEqual([['a'], { done: [], failures: [] }]);
});
