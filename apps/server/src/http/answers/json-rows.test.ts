import { canisterEndpoints } from '@cannery/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { largeRoute, type RawCall } from '../route.ts';
import { jsonRows } from './json-rows.ts';

test.each([0, 1, 250, 251, 1_000])('%i rows are a list with a row in each line', async (count) => {
  const rows = Array.from({ length: count }, (_, id) => ({ id, name: 'two\nlines, \u2028 "and" ]' }));
  const { text } = await jsonRows(rows, (row) => ({ ...row, taken: true }));
  expect(JSON.parse(text)).toEqual(rows.map((row) => ({ ...row, taken: true })));
  expect(text.split('\n')).toHaveLength(count === 0 ? 1 : count + 2);
});

test('others get their turn while a long list is made', async () => {
  let turns = 0;
  const rows = Array.from({ length: 10_000 }, (_, id) => id);
  const made = jsonRows(rows, (id) => ({ id }));
  for (let isMade = false; !isMade; turns += 1) {
    const turn = new Promise<false>((resolve) => setImmediate(resolve, false));
    isMade = await Promise.race([made.then(() => true), turn]);
  }
  expect(turns).toBeGreaterThan(20);
});

test('a route answers it as one text, which is counted while nobody takes it, and not as a stream', async () => {
  const list = { ...canisterEndpoints.list, response: z.array(z.object({ id: z.number() })) };
  const { handle } = largeRoute(list, () => jsonRows([1, 2], (id) => ({ id })));
  expect(await handle({} as RawCall)).toEqual({
    body: '[\n{"id":1},\n{"id":2}\n]',
    headers: { 'content-type': 'application/json; charset=utf-8' },
  });
});
