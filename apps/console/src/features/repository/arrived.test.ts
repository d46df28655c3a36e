import { expect, test } from 'vitest';
import { arrivedSince, filledIn } from './arrived.ts';

const repository = (name: string, default_branch: string | null) => ({
  name,
  default_branch,
  private: true,
  owner: { login: 'ada' },
  url: '',
});

test('a repository has arrived with its first branch, not when the push begins, and not when it was there before', () => {
  const before = filledIn([repository('old', 'main'), repository('empty', null)]);
  const now = [repository('old', 'main'), repository('empty', null), repository('new', null)];
  expect(arrivedSince(before, now)).toEqual([]);
  const later = [repository('new', 'main'), repository('empty', 'trunk'), repository('old', 'main')];
  expect(arrivedSince(before, later).map(({ name }) => name)).toEqual(['new', 'empty']);
});
