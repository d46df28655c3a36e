import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { rowStream } from './row-stream.ts';

test.each([0, 1, 250, 251, 1_000])('%i rows are a list with a row in each line', async (count) => {
  const rows = Array.from({ length: count }, (_, id) => ({ id, name: 'two\nlines, \u2028 "and" ]' }));
  const body = await text(rowStream(rows, (row) => ({ ...row, taken: true })));
  expect(JSON.parse(body)).toEqual(rows.map((row) => ({ ...row, taken: true })));
  expect(body.split('\n')).toHaveLength(count + 2);
});

test('a long list is made as it is read, and others get their turn meanwhile', async () => {
  let made = 0;
  const rows = Array.from({ length: 100_000 }, (_, id) => id);
  const stream = rowStream(rows, (id) => {
    made += 1;
    return { id, text: 'x'.repeat(100) };
  });
  let turns = 0;
  const count = setInterval(() => (turns += 1), 1);
  for await (const _piece of stream) if (made > 50_000) break;
  clearInterval(count);
  expect(made).toBeLessThan(60_000);
  expect(turns).toBeGreaterThan(3);
});
