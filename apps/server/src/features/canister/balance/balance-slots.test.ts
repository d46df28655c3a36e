import { describe, expect, test } from 'vitest';
import { isNewHour, SLOT_SECONDS, slotOf, spreadOut, surplusSlots } from './balance-slots.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** In the middle of a day, an hour and five minutes. */
const now = new Date('2026-03-15T12:32:30Z');
const nowSeconds = now.getTime() / 1000;

/** The places left of balances read at regular times, oldest first, as seconds before now. */
function agesLeft(oldest: number, every: number): number[] {
  const slots = Array.from({ length: Math.floor(oldest / every) + 1 }, (_, step) =>
    slotOf(new Date((nowSeconds - oldest + step * every) * 1000)),
  );
  const surplus = new Set(surplusSlots(slots, now));
  return slots.filter((slot) => !surplus.has(slot)).map((slot) => nowSeconds - slot * SLOT_SECONDS);
}

describe('thinning out', () => {
  test('a year read every five minutes leaves five minutes of a day, hours of a month, days of a year', () => {
    const ages = agesLeft(400 * DAY, 300);
    const between = (from: number, to: number) => ages.filter((age) => age >= from && age < to);
    expect(between(0, DAY)).toHaveLength(DAY / 300);
    expect(between(DAY, 31 * DAY).length).toBeCloseTo(30 * 24, -1);
    expect(between(31 * DAY, 366 * DAY).length).toBeCloseTo(335, -1);
    expect(between(366 * DAY, 400 * DAY)).toEqual([]);
    expect(ages.length).toBeLessThan(1_350);
  });

  test('however often a canister is looked at, what is left of it is bounded', () => {
    expect(agesLeft(40 * DAY, SLOT_SECONDS).length).toBeLessThan(2_100);
  });

  test('the newest of each stretch stays, and the newest of all', () => {
    const at = (text: string) => slotOf(new Date(text));
    const hour = ['2026-03-13T08:00:00Z', '2026-03-13T08:30:00Z', '2026-03-13T08:59:55Z'].map(at);
    const next = at('2026-03-13T09:00:00Z');
    expect(surplusSlots([...hour, next, slotOf(now)], now)).toEqual([hour[1], hour[0]]);
  });

  test('thinning twice takes nothing more', () => {
    const slots = Array.from({ length: 5_000 }, (_, step) => slotOf(now) - step * 7);
    const surplus = new Set(surplusSlots(slots, now));
    expect(
      surplusSlots(
        slots.filter((slot) => !surplus.has(slot)),
        now,
      ),
    ).toEqual([]);
  });
});

test('a new hour begins where the clock says so', () => {
  const at = (text: string) => slotOf(new Date(text));
  expect(isNewHour(at('2026-03-15T11:59:55Z'), at('2026-03-15T12:00:00Z'))).toBe(true);
  expect(isNewHour(at('2026-03-15T12:00:00Z'), at('2026-03-15T12:59:55Z'))).toBe(false);
});

describe('spreading out', () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ taken_at: new Date(nowSeconds * 1000 + index * 60_000) }));

  test('a short list stays whole', () => {
    expect(spreadOut(items(40), 40)).toHaveLength(40);
    expect(spreadOut([], 40)).toEqual([]);
  });

  test('a long one keeps its newest, and no more than asked for', () => {
    const list = items(1_337);
    const spread = spreadOut(list, 100);
    expect(spread).toHaveLength(100);
    expect(spread.at(-1)).toBe(list.at(-1));
  });
});
