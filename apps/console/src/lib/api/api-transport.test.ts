import { expect, test } from 'vitest';
import { parseBody } from './api-transport.ts';

const rows = Array.from({ length: 9_000 }, (_, id) => ({
  id: `row ${id}`,
  name: 'two\nlines, "and" ],\n[',
  parts: [{ text: 'x'.repeat(150) }, null, 1.5],
}));
const inLines = `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`;

test('a long list in lines is parsed piece by piece, and a click or key comes between two', async () => {
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  const parsed = await parseBody(inLines);
  clearInterval(count);
  expect(parsed).toEqual(rows);
  expect(turns).toBeGreaterThan(1);
});

test.each([
  ['on one line', JSON.stringify(rows)],
  ['with lines of another service', JSON.stringify(rows, undefined, 1)],
  ['wrapped', JSON.stringify({ data: rows }, undefined, 1)],
  ['in lines, with room behind it', `${inLines}\n \n`],
])('a long list %s is parsed as well', async (_name, text) => {
  const parsed = await parseBody(text);
  expect(parsed).toEqual(text.startsWith('{') ? { data: rows } : rows);
});

test.each([
  ['cut off', inLines.slice(0, -40)],
  ['cut off behind a row', `${inLines.slice(0, inLines.lastIndexOf(',\n'))}`],
  ['with more behind it', `${inLines} x`],
  ['with a row too little', inLines.replace(/,\n/, ',,\n')],
])('a long list %s is no JSON', async (_name, text) => {
  await expect(parseBody(text)).rejects.toThrow(SyntaxError);
});
