import { expect, test } from 'vitest';
import { installsText, ratingOf, shortDescription } from './card-texts.ts';

test.each([
  [4.46, 12, 4.46, '4.5 of 5 stars, 12 ratings', '4.5 (12)'],
  [5, 1, 5, '5 of 5 stars, 1 rating', '5.0 (1)'],
  [0, 3, 0, '0 of 5 stars, 3 ratings', '0.0 (3)'],
  [3.9, 1234, 3.9, '3.9 of 5 stars, 1,234 ratings', '3.9 (1,234)'],
])('[OP-36] %d of %d ratings', (rating, ratings, average, text, short) => {
  expect(ratingOf({ rating, ratings })).toEqual({ average, text, short });
});

test.each([
  [null, null],
  [4, null],
  [null, 4],
  [4, 0],
  [4, -1],
  [4, 1.5],
  [-1, 4],
  [5.1, 4],
])('[OP-36] %s of %s ratings is no rating', (rating, ratings) => {
  expect(ratingOf({ rating, ratings })).toBeUndefined();
});

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

test('how often a dapp was installed is told in words, or not at all', () => {
  expect([0, 1, 2, null].map(installsText)).toEqual([
    'Not installed yet',
    '1 install',
    '2 installs',
    undefined,
  ]);
});
