import { describe, expect, test } from 'vitest';
import {
  linePath,
  nearestIndex,
  pointsSince,
  timeTicks,
  timeTickText,
  valueRange,
  valueTicks,
} from './chart-scale.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const noon = new Date(2026, 2, 15, 12).getTime();

describe('moments of the axis', () => {
  test.each([
    ['seconds', 20_000, 5_000],
    ['minutes', 50 * MINUTE, 15 * MINUTE],
    ['hours', DAY, 6 * HOUR],
    ['days', 30 * DAY, 7 * DAY],
    ['months', 365 * DAY, 90 * DAY],
  ])('%s', (_name, span, step) => {
    const ticks = timeTicks(noon - span, noon, 5);
    expect(ticks.step).toBe(step);
    expect(ticks.values.length).toBeGreaterThan(2);
    expect(ticks.values.length).toBeLessThanOrEqual(6);
    for (const at of ticks.values) {
      expect(at).toBeGreaterThanOrEqual(noon - span);
      expect(at).toBeLessThanOrEqual(noon);
    }
  });

  test('stand at full hours and days of the browser, and read so', () => {
    const noonBefore = new Date(2026, 1, 15, 12).getTime() - DAY;
    const hours = timeTicks(noonBefore, noonBefore + DAY, 5);
    expect(hours.values.map((at) => timeTickText(at, hours.step))).toEqual([
      '12:00',
      '18:00',
      '15 Feb',
      '06:00',
      '12:00',
    ]);
    const days = timeTicks(noonBefore, noonBefore + 3 * DAY, 4);
    expect(days.values.map((at) => timeTickText(at, days.step))).toEqual(['15 Feb', '16 Feb', '17 Feb']);
  });
});

test('values stand in round steps around what is drawn', () => {
  expect(valueTicks(0, 10, 5)).toEqual({ step: 2, values: [0, 2, 4, 6, 8, 10] });
  expect(valueTicks(1_234, 1_299, 4)).toEqual({ step: 20, values: [1_240, 1_260, 1_280] });
  const [low, high] = valueRange([1_000, 2_000]);
  expect([low, high]).toEqual([920, 2_080]);
});

test('a flat line has room around it, also at zero', () => {
  expect(valueRange([1_000, 1_000])).toEqual([950, 1_050]);
  expect(valueRange([0, 0])).toEqual([0, 1]);
});

test('a small fall stays small: the axis spans a tenth of the highest value at least', () => {
  const [low, high] = valueRange([2_000, 1_998]);
  expect([low, high]).toEqual([1_899, 2_099]);
  expect(valueRange([100, 0])).toEqual([0, 108]);
});

test('a path holds each reading until the next one, and the last until the end of the axis', () => {
  const points = [0, 10, 20].map((at) => ({ at, value: at, text: '' }));
  const place = { x: (at: number) => at, y: (value: number) => 20 - value };
  expect(linePath(points, place, 25)).toBe('M0.0 20.0H10.0V10.0H20.0V0.0H25.0');
});

test('the reading closest to a moment', () => {
  const points = [0, 10, 30].map((at) => ({ at, value: 0, text: '' }));
  expect([-5, 4, 6, 19, 21, 99].map((at) => nearestIndex(points, at))).toEqual([0, 0, 1, 1, 2, 2]);
});

test('readings from before the axis begin it with the last of them', () => {
  const points = [0, 10, 20].map((at) => ({ at, value: at, text: `${at}` }));
  expect(pointsSince(points, 15)).toEqual([
    { at: 15, value: 10, text: '10' },
    { at: 20, value: 20, text: '20' },
  ]);
  expect(pointsSince(points, 0)).toEqual(points);
});
