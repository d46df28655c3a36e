import { expect, test } from 'vitest';
import { methodText, sizeChange } from './version-comparison.tsx';

test('what has become of a method is told in words', () => {
  expect(methodText({ method: 'a', before: null, after: '() -> ()' })).toBe('is new: () -> ()');
  expect(methodText({ method: 'a', before: '() -> ()', after: null })).toBe('is gone: () -> ()');
  expect(methodText({ method: 'a', before: '() -> (nat)', after: '() -> (int)' })).toBe(
    'was () -> (nat) and is () -> (int)',
  );
});

test('how a size changes is told in words', () => {
  expect(sizeChange(2048, 1024)).toBe('1.00 KiB smaller');
  expect(sizeChange(1, 513)).toBe('512 B larger');
  expect(sizeChange(7, 7)).toBe('the same size');
});
