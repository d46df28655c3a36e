import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareTexts, orderKey } from './text-order.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const plain = fc.string({
  unit: fc.constantFrom(...'aAbBzZ0019 ._-'),
  maxLength: 12,
});
const ordered = (text: string) => ({ text, key: orderKey(text) });

test('[CAN-04] plain texts compare as the collator compares them', () => {
  fc.assert(
    fc.property(plain, plain, (left, right) => {
      expect(Math.sign(compareTexts(ordered(left), ordered(right)))).toBe(
        Math.sign(collator.compare(left, right)),
      );
    }),
    { numRuns: 5_000 },
  );
});

test('texts beyond plain ASCII, and numbers without end, are left to the collator', () => {
  expect(orderKey('Ärger')).toBeUndefined();
  expect(orderKey('1'.repeat(49))).toBeUndefined();
  expect(compareTexts(ordered('Ärger'), ordered('b'))).toBeLessThan(0);
});
