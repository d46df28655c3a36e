import { expect, test } from 'vitest';
import { readRepositoryAddress } from './repository-address.ts';

test.each([
  ['https://github.com/owner/repo', 'owner', 'repo', 'https://github.com/owner/repo'],
  ['https://github.com/owner/repo.git', 'owner', 'repo', 'https://github.com/owner/repo'],
  ['https://GitHub.com/owner/repo/', 'owner', 'repo', 'https://github.com/owner/repo'],
  ['https://github.com/owner/a.b', 'owner', 'a.b', 'https://github.com/owner/a.b'],
  ['https://github.com/owner/.github', 'owner', '.github', 'https://github.com/owner/.github'],
  ['https://github.com/o/r/tree/main/docs?tab=readme#top', 'o', 'r', 'https://github.com/o/r'],
  ['https://codeberg.org/o/r/src/branch/main', 'o', 'r', 'https://codeberg.org/o/r'],
  ['https://gitlab.com/group/sub/repo', 'group/sub', 'repo', 'https://gitlab.com/group/sub/repo'],
  ['https://gitlab.com/group/sub/repo.git', 'group/sub', 'repo', 'https://gitlab.com/group/sub/repo'],
  ['https://gitlab.com/group/sub/repo/-/tree/main', 'group/sub', 'repo', 'https://gitlab.com/group/sub/repo'],
  ['https://git.example:8443/o/r.git/tree/main', 'o', 'r', 'https://git.example:8443/o/r'],
  ['https://localhost:8443/~user/r', '~user', 'r', 'https://localhost:8443/~user/r'],
])('[DEP-21] %s names %s and %s at %s', (text, owner, name, url) => {
  expect(readRepositoryAddress(text)).toEqual({ host: new URL(url).host, owner, name, url });
});
