import { expect, test } from 'vitest';
import { longLedger } from './long-ledger.ts';

/** An answer of a query has 3 MB at most on the Internet Computer; half of it leaves room for longer memos and more fields. */
const MOST_BYTES = 1_500_000;

test.each([
  ['icp-ledger', 1_000, [0, 0]],
  ['cycles-ledger', 100, [0]],
] as const)('%s answers %i blocks at most, and names its archives', async (name, most, archives) => {
  const ledger = await longLedger(name, 1_200);
  expect(ledger.archives).toEqual(archives);
  for (const { question, blocks, bytes } of ledger.answers) {
    expect(blocks, question).toBe(most);
    expect(bytes, question).toBeLessThan(MOST_BYTES);
  }
});
