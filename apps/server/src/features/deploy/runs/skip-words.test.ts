import { expect, test } from 'vitest';
import { skipWordsOf } from './skip-words.ts';

test.each([
  ['Fix a typo [skip ci]', '[skip ci]'],
  ['[CI Skip] Fix', '[CI Skip]'],
  ['Fix\n\nLong text with [no ci] inside', '[no ci]'],
  ['a [skip actions]', '[skip actions]'],
  ['a [actions skip]', '[actions skip]'],
  ['Fix\n\nskip-checks: true\n', 'skip-checks: true'],
  ['Fix\r\n\r\n\r\nSkip-Checks:true\r\n', 'skip-checks: true'],
  ['Fix\n\nReviewed-by: Eve\nskip-checks: true', 'skip-checks: true'],
  ['Fix', null],
  ['skip ci', null],
  ['Fix [skip  ci]', null],
  ['[skip\nci]', null],
  ['skip-checks: true', null],
  ['Fix\n\nskip-checks: true\n\nMore text', null],
  ['Fix\n\nskip-checks: false', null],
  ['Fix\n\nno skip-checks: true', null],
  ['', null],
  [null, null],
])('%j has %j', (message, words) => {
  expect(skipWordsOf(message)).toBe(words);
});
