import { expect, test } from 'vitest';
import { cycleTick } from './cycle-tick.ts';

test.each([
  [2.4e12, { step: 2e11, top: 2.5e12 }, '2.4 T'],
  [2e12, { step: 1e12, top: 5e12 }, '2 T'],
  [1.999_98e12, { step: 5e6, top: 2e12 }, '1.999980 T'],
  [45e9, { step: 5e9, top: 60e9 }, '45 B'],
  [0, { step: 5e9, top: 60e9 }, '0 B'],
  [12, { step: 2, top: 20 }, '12'],
])('%d beside %o reads %s', (value, axis, text) => {
  expect(cycleTick(value, axis)).toBe(text);
});
