import { expect, test } from 'vitest';
import { lineCount, visibleCode } from './visible-code.ts';

test('what turns or hides a text is shown by its number', () => {
  expect(visibleCode('if (a\u202e) {\u2066 // \u200b')).toBe('if (a⟪U+202E⟫) {⟪U+2066⟫ // ⟪U+200B⟫');
  expect(visibleCode('plain\ttext\r\n')).toBe('plain\ttext\r\n');
});

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\nb', 2],
  ['\n\n', 2],
])('%j has %i lines', (text, count) => {
  expect(lineCount(text)).toBe(count);
});
