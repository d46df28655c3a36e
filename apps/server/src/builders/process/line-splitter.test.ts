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
  expect(line.length).toBeLessThan(5_000);
  expect(line).toContain(`${50 * 1024 * 1024 - 4_000} more characters`);
  expect(next).toBe('next');
});
