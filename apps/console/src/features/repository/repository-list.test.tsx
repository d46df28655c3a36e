import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RepositoryList } from './repository-list.tsx';

test('[DEP-03] a row is owner and name, with a lock only when the repository is private', () => {
  const repository = (name: string, isPrivate: boolean) => ({
    name,
    private: isPrivate,
    owner: { login: 'ada' },
    url: '',
    default_branch: null,
  });
  const list = [repository('open', false), repository('closed', true)];
  const rows = renderToStaticMarkup(<RepositoryList repositories={list} onConnect={() => undefined} />)
    .split('<li')
    .slice(1);
  expect(rows.map((row) => /ada \/ \w+/.exec(row)?.[0])).toEqual(['ada / open', 'ada / closed']);
  expect(rows.map((row) => row.includes('aria-label="private"'))).toEqual([false, true]);
  expect(rows.every((row) => row.includes('Connect'))).toBe(true);
});
