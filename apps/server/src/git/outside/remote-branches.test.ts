import { expect, test } from 'vitest';
import { branchesInListing } from './remote-branches.ts';

const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
const list = (...rows: readonly (readonly [string, string])[]) =>
  rows.map((row) => row.join('\t')).join('\n');

test('[OP-43] the default branch comes first', () => {
  const refs = [
    [one, 'refs/heads/alpha'],
    [two, 'refs/heads/zulu'],
  ] as const;
  expect(branchesInListing(list(['ref: refs/heads/zulu', 'HEAD'], [two, 'HEAD'], ...refs))).toEqual([
    'zulu',
    'alpha',
  ]);
  // HEAD of an old host is a commit; that of main, where several have it.
  expect(branchesInListing(list([two, 'HEAD'], ...refs))).toEqual(['zulu', 'alpha']);
  const main = [one, 'refs/heads/main'] as const;
  expect(branchesInListing(list([one, 'HEAD'], ...refs, main))).toEqual(['main', 'alpha', 'zulu']);
  expect(branchesInListing(list(...refs))).toEqual(['alpha', 'zulu']);
});

test('what is no branch name is left out', () => {
  const refs = [
    'refs/heads/ok',
    'refs/heads/-x',
    'refs/heads/a..b',
    'refs/tags/v1',
    'refs/pull/1/head',
    'junk',
  ];
  expect(
    branchesInListing(list(['ref: refs/heads/../x', 'HEAD'], ...refs.map((ref) => [one, ref] as const))),
  ).toEqual(['ok']);
  expect(branchesInListing('')).toEqual([]);
  expect(branchesInListing('<html>\n\t\t')).toEqual([]);
});
