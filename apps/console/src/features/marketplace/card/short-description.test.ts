import { expect, test } from 'vitest';
import { shortDescription } from './short-description.ts';

test.each([
  ['', ''],
  ['Counts to three', 'Counts to three'],
  ['a'.repeat(30), 'a'.repeat(30)],
  ['a'.repeat(31), `${'a'.repeat(30)}...`],
  ['🥫'.repeat(30), '🥫'.repeat(30)],
  ['🥫'.repeat(31), `${'🥫'.repeat(30)}...`],
])('[MKT-03] %j on a card is %j', (text, shown) => {
  expect(shortDescription(text)).toBe(shown);
});
