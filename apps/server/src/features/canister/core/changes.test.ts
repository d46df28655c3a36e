import { expect, test } from 'vitest';
import { outsideChanges } from './changes.ts';

const HASH = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);

test('what is as known is no change', () => {
  const state = { moduleHash: HASH, controllers: ['a', 'b'] };
  expect(outsideChanges(state, { ...state, controllers: [...state.controllers] })).toEqual([]);
  expect(outsideChanges({ ...state, controllers: null }, state)).toEqual([]);
});

test('other code and other controllers are told in words', () => {
  const known = { moduleHash: HASH, controllers: ['a', 'b'] };
  expect(outsideChanges(known, { moduleHash: OTHER, controllers: ['b', 'c'] })).toEqual([
    'The code with hash 0xcdcdcdcd has replaced 0xabababab.',
    'New controllers: c.',
    'Removed controllers: a.',
  ]);
  expect(outsideChanges(known, { ...known, moduleHash: null })).toEqual([
    'The code with hash 0xabababab is gone.',
  ]);
});
