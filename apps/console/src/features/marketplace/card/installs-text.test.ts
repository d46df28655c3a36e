import { expect, test } from 'vitest';
import { installsText } from './installs-text.ts';

test('how often a dapp was installed is told in words, or not at all', () => {
  expect([0, 1, 2, null].map(installsText)).toEqual([
    'Not installed yet',
    '1 install',
    '2 installs',
    undefined,
  ]);
});
