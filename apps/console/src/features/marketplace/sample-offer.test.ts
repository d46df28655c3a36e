import { expect, test } from 'vitest';
import { samplesToCome } from './sample-offer.ts';

const names = ['Token ledger', 'Guest book', 'Poll', 'File drop'];

test('samples that are to come stand before those that are there, the next one beside them', () => {
  expect(samplesToCome({ names, done: 0 }, [])).toEqual(['File drop', 'Poll', 'Guest book', 'Token ledger']);
  expect(samplesToCome({ names, done: 2 }, [{ name: 'Guest book' }, { name: 'Token ledger' }])).toEqual([
    'File drop',
    'Poll',
  ]);
});

test('a sample that the list has already, as others have offered it, has no second place', () => {
  expect(samplesToCome({ names, done: 1 }, [{ name: 'Guest book' }, { name: 'Poll' }])).toEqual([
    'File drop',
  ]);
});
