import { expect, test } from 'vitest';
import { MethodUse } from './method-use.ts';

test('updates and queries of one name are two methods, and the one that uses most is first', () => {
  const use = new MethodUse();
  const message = {
    kind: 'response',
    callback: 1,
    outcome: { status: 'replied', reply: new Uint8Array() },
    refund: 0n,
  } as const;
  use.noteQuery('aa', 'get', 5n);
  use.noteQuery('aa', 'get', 6n);
  use.noteMessage('aa', { kind: 'task', task: 'canister_heartbeat' }, 40n, 2n);
  use.noteMessage('aa', message, 7n, 1n);
  expect(use.totals.methods).toEqual([
    { canister: 'aa', kind: 'task', name: 'canister_heartbeat', calls: 1, instructions: 40, cycles: 2n },
    { canister: 'aa', kind: 'query', name: 'get', calls: 2, instructions: 11, cycles: 0n },
    { canister: 'aa', kind: 'response', name: '', calls: 1, instructions: 7, cycles: 1n },
  ]);
});

test('however many methods there are, a bounded number is kept, and nothing is lost in the sums', () => {
  let now = 0;
  const use = new MethodUse(() => now);
  const long = 'n'.repeat(20_000);
  for (let at = 0; at < 30_000; at++) use.noteQuery(`c${at % 500}`, `${at}${long}`, 1n);
  for (let at = 0; at < 100; at++) use.noteQuery('busy', 'hot', 50n);
  const { methods, others } = use.totals;
  expect(methods.length).toBe(50);
  expect(methods[0]).toMatchObject({ canister: 'busy', name: 'hot', calls: 100 });
  expect(methods.every(({ name }) => name.length <= 100)).toBe(true);
  const sum = (of: 'calls' | 'instructions'): number =>
    methods.reduce((all, each) => all + each[of], others[of]);
  expect(sum('calls')).toBe(30_100);
  expect(sum('instructions')).toBe(35_000);
  expect(others.methods).toBeGreaterThan(29_000);

  // What is told is made once in a second.
  expect(use.totals).toBe(use.totals);
  const told = use.totals;
  now = 1_500;
  expect(use.totals).not.toBe(told);
});
