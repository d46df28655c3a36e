import { expect, test } from 'vitest';
import { isWithinJsonBudget } from './json-budget.ts';

const budget = { depth: 3, values: 10 };

test.each([
  ['', true],
  ['null', true],
  ['[[[]]]', true],
  ['[[[[]]]]', false],
  ['{"a":{"b":{"c":1}}}', true],
  ['{"a":{"b":{"c":[]}}}', false],
  ['[[],[],[[]]]', true],
  [`[${'1,'.repeat(8)}1]`, true],
  [`[${'1,'.repeat(10)}1]`, false],
  [`[${'{},'.repeat(5)}1]`, false],
  // What is in a text counts for nothing, also behind a quote that is escaped.
  ['"[[[[[,,,,,,,,,,,,,"', true],
  ['{"a":"\\"[[[[[,,,,,,,,,,,,","b":"\\\\"}', true],
  ['"\\\\"[[[[', false],
  ['"no end [[[[[', true],
])('%s is within a small budget: %s', (text, isWithin) => {
  expect(isWithinJsonBudget(text, budget)).toBe(isWithin);
});

test('a megabyte of anything is seen through without being made', () => {
  const long = 1024 * 1024;
  const before = process.memoryUsage().heapUsed;
  for (const part of ['[', '{"a":', '1,', '"', '\\', '"a",']) {
    const text = part.repeat(long / part.length);
    isWithinJsonBudget(text, { depth: long, values: long });
  }
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 * 1024 * 1024);
});
