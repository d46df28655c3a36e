import type { PublicConfig } from '@cannery/contract';
import { expect, test } from 'vitest';
import { compareAddress, repositoryLinks } from './repository-links.ts';

const own = { url: null, github_repo_owner: 'ada', repo_name: 'mill', branch: 'feature/stone' };
const config = {
  git_provider: {
    repository_url_pattern: 'https://forge.example/r/{owner}/{repo}',
    tree_url_pattern: 'https://forge.example/t/{owner}/{repo}?b={branch}',
  },
} as PublicConfig;

test('[CONST-10] [DEPD-02] links of the provider are its configured patterns', () => {
  expect(repositoryLinks(own, config)).toEqual({
    host: undefined,
    name: 'ada/mill',
    page: 'https://forge.example/r/ada/mill',
    tree: 'https://forge.example/t/ada/mill?b=feature%2Fstone',
  });
  expect(repositoryLinks(own, undefined)).toMatchObject({
    name: 'ada/mill',
    page: undefined,
    tree: undefined,
  });
});

test.each([
  ['https://github.com/o/r', 'https://github.com/o/r/tree/feature/stone'],
  ['https://gitlab.com/g/s/r', 'https://gitlab.com/g/s/r/-/tree/feature/stone'],
  ['https://bitbucket.org/o/r', 'https://bitbucket.org/o/r/src/feature/stone'],
  ['https://codeberg.org/o/r', 'https://codeberg.org/o/r/src/branch/feature/stone'],
  ['https://git.example:8443/o/r', 'https://git.example:8443/o/r'],
])('[DEP-21] %s is linked at its own host', (url, tree) => {
  expect(repositoryLinks({ ...own, url }, config)).toEqual({
    host: new URL(url).host,
    name: new URL(url).pathname.slice(1),
    page: url,
    tree,
  });
});

test('[DEPD-02] a branch is one path, whatever its name has', () => {
  const url = 'https://github.com/o/r';
  const tree = (branch: string) => repositoryLinks({ ...own, url, branch }, config).tree;
  expect(tree('fix/#12?')).toBe('https://github.com/o/r/tree/fix/%2312%3F');
  expect(repositoryLinks({ ...own, branch: 'fix/#12?' }, config).tree).toBe(
    'https://forge.example/t/ada/mill?b=fix%2F%2312%3F',
  );
});

test('what is no https address never becomes a link', () => {
  expect(repositoryLinks({ ...own, url: 'javascript:alert(1)' }, undefined).page).toBeUndefined();
});

test.each([
  ['https://github.com/o/r', 'https://github.com/o/r/compare/aa...bb'],
  ['https://gitlab.com/g/s/r', 'https://gitlab.com/g/s/r/-/compare/aa...bb'],
  ['https://codeberg.org/o/r', 'https://codeberg.org/o/r/compare/aa...bb'],
  ['https://bitbucket.org/o/r', undefined],
  ['https://git.example:8443/o/r', undefined],
  ['https://github.com.evil.example/o/r', undefined],
  ['http://github.com/o/r', undefined],
  ['javascript:alert(1)', undefined],
  [undefined, undefined],
])('two commits are compared at %s, where its page for that is known', (page, address) => {
  expect(compareAddress(page, ['aa', 'bb'])).toBe(address);
  expect(compareAddress('https://github.com/o/r', ['a/../../x?', 'b#'])).toBe(
    'https://github.com/o/r/compare/a%2F..%2F..%2Fx%3F...b%23',
  );
});
