import { expect, test } from 'vitest';
import { ratingOf } from './rating.ts';

test.each([
  [4.46, 12, 4.46, '4.5 of 5 stars, 12 ratings'],
  [5, 1, 5, '5 of 5 stars, 1 rating'],
  [0, 3, 0, '0 of 5 stars, 3 ratings'],
])('[OP-36] %d of %d ratings', (rating, ratings, average, text) => {
  expect(ratingOf({ rating, ratings })).toEqual({ average, text });
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
