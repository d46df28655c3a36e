import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventBudget, type EventLimits, type Summary } from './event-budget.ts';

const LIMITS: EventLimits = {
  windowMs: 60_000,
  perClient: 3,
  ofKind: (event) => (event === 'sign_in_completed' ? 1000 : 10),
  mostClients: 50,
  mostSummaries: 2,
};
let summaries: Summary[];
let budget: EventBudget;
beforeEach(() => {
  vi.useFakeTimers();
  summaries = [];
  budget = new EventBudget(LIMITS, (summary) => summaries.push(summary));
});
afterEach(() => {
  vi.useRealTimers();
});

/** How many of a number of events get a line. */
const linesOf = (events: number, client: (at: number) => string): number =>
  Array.from({ length: events }, (_, at) => budget.take('input_refused', client(at))).filter(Boolean).length;

test('a client gets some lines in a window of time, then one that says how many more there were', () => {
  expect(linesOf(100, () => 'a')).toBe(3);
  expect(linesOf(1, () => 'b')).toBe(1);
  expect(budget.take('sign_in_failed', 'a')).toBe(true);
  expect(summaries).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(summaries).toEqual([{ event: 'input_refused', client: 'a', more: 97 }]);
  vi.advanceTimersByTime(600_000);
  expect(summaries).toHaveLength(1);
  expect(linesOf(100, () => 'a')).toBe(3);
});

test('the next event after a window begins a new one, also where no timer has come', () => {
  let now = 0;
  budget = new EventBudget(
    LIMITS,
    (summary) => summaries.push(summary),
    () => now,
  );
  linesOf(5, () => 'a');
  now = 59_999;
  expect(linesOf(1, () => 'a')).toBe(0);
  now = 60_000;
  expect(linesOf(1, () => 'a')).toBe(1);
  expect(summaries).toEqual([{ event: 'input_refused', client: 'a', more: 3 }]);
});

test('clients of any number have bounded lines together, and bounded summaries; nothing is left out of the sum', () => {
  const events = 100_000;
  const lines = linesOf(events, (at) => (at < 1000 ? `loud ${at % 3}` : `client ${at}`));
  expect(lines).toBe(10);
  budget.end();
  expect(summaries).toHaveLength(3);
  expect(summaries.map(({ client }) => client)).toEqual(['loud 0', 'loud 1', undefined]);
  expect(lines + summaries.reduce((sum, { more }) => sum + more, 0)).toBe(events);
});

test('who signs in is not hidden by how many others do, and a flood of one kind hides no other', () => {
  linesOf(1000, (at) => `client ${at}`);
  const signIns = Array.from({ length: 500 }, (_, at) => budget.take('sign_in_completed', `user ${at}`));
  expect(signIns.every(Boolean)).toBe(true);
  expect(budget.take('sign_in_failed', 'client 5')).toBe(true);
});

test('what is over is told once, at the end too, and no timer is left', () => {
  linesOf(5, () => 'a');
  budget.end();
  budget.end();
  expect(summaries).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('an event costs the same with few clients and with many', () => {
  const perEvent = (clients: number): number => {
    budget = new EventBudget(
      { ...LIMITS, mostClients: 20_000 },
      () => undefined,
      () => 0,
    );
    const begun = process.cpuUsage();
    for (let at = 0; at < 200_000; at += 1) budget.take('input_refused', `client ${at % clients}`);
    const { user } = process.cpuUsage(begun);
    return user / 200_000;
  };
  perEvent(10);
  // Microseconds; a look through all clients would take more than a hundred.
  expect(perEvent(100_000)).toBeLessThan(Math.max(20, 10 * perEvent(10)));
});
