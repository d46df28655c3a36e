import { expect, test } from 'vitest';
import { parseRepositoryUrl, repositoryNames } from './repository.ts';

test.each([
  ['https://host/owner/repo.git', 'owner', 'repo'],
  ['https://host/owner/repo', 'owner', 'repo'],
  ['https://host/Owner/Repo.git', 'Owner', 'Repo'],
  ['https://host/owner/a.b.git', 'owner', 'a.b'],
  ['https://host/owner/a.b', 'owner', 'a'],
  ['https://host/owner/repo.git/tree/main', 'owner', 'repo'],
  ['https://host/owner/.git', 'owner', undefined],
  ['https://host/owner/.github', 'owner', undefined],
  ['https://host/owner', 'owner', undefined],
  ['https://host', undefined, undefined],
  ['', undefined, undefined],
])('[VAL-27] %s gives owner %s and name %s', (url, owner, name) => {
  expect(parseRepositoryUrl(url)).toEqual({ owner, name });
});

test.each([
  ['https://host/owner/repo.git', ['repo', 'repo.git']],
  ['https://host/owner/repo', ['repo']],
  ['https://host/owner/my.site', ['my', 'my.site']],
  ['https://host/owner/next.js/tree/main', ['next', 'next.js']],
  ['https://host/owner/my.site.git', ['my.site', 'my.site.git']],
  ['https://host/owner/.github', ['.github']],
  ['https://host/owner', []],
])('[OP-44] [VAL-27] %s is looked for as %j', (url, names) => {
  expect(repositoryNames(url)).toEqual(names);
});
