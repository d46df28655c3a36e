import { expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

function split(...chunks: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

test('joins what arrives in pieces', () => {
  expect(split('ab', 'c\nd', 'ef\n\ng')).toEqual(['abc', 'def', '', 'g']);
});

test('a character cut in two is whole again', () => {
  const bytes = Buffer.from('größe\n');
  expect(split(bytes.subarray(0, 3), bytes.subarray(3))).toEqual(['größe']);
});

test('a progress bar shows its last state', () => {
  expect(split('10 %\r50 %\r100 %\r\ndone\r\n')).toEqual(['100 %', 'done']);
});

test('a line of 50 MB costs a few kB and says how much is missing', () => {
  const chunk = 'x'.repeat(1024 * 1024);
  const [line = '', next] = split(...Array.from({ length: 50 }, () => chunk), '\nnext\n');
  expect(line.length).toBeLessThan(7_000);
  expect(line).toContain(`(${50 * 1024 * 1024 - 6_000} characters left out)`);
  expect(next).toBe('next');
});

test('of a very long line the end is kept as well as the front, whatever pieces it comes in', () => {
  const middle = 'm'.repeat(3_000);
  const line = `${'a'.repeat(4_000)}${middle}${'z'.repeat(1_990)}the cause.`;
  const shown = `${'a'.repeat(4_000)} … (3000 characters left out) … ${'z'.repeat(1_990)}the cause.`;
  expect(split(`${line}\nnext`)).toEqual([shown, 'next']);
  expect(split(...Array.from(line, (one) => one))).toEqual([shown]);
  expect(split(line.slice(0, 5_000), `${line.slice(5_000)}\r\n`)).toEqual([
    expect.stringMatching(/ … \(3001 characters left out\) … z+the cause\.$/),
  ]);
  // Nothing is left out of one that is no longer than what is kept.
  const whole = line.replace(middle, '');
  expect(split(whole)).toEqual([whole]);
});

test('of a progress bar that is drawn again and again the last state stays', () => {
  expect(split(`${'50 %\r'.repeat(10_000)}100 %\n`)).toEqual(['100 %']);
});
