import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { branchesOf, headOf, newestOf, refsOf } from './read-refs.ts';
import { gitText, runGit } from './run-git.ts';

let gitDir: string;

beforeAll(async () => {
  gitDir = mkdtempSync(join(tmpdir(), 'cannery-refs-'));
  await runGit(['init', '--bare', '--quiet', '--template=', '--', gitDir]);
});

afterAll(() => rmSync(gitDir, { recursive: true, force: true }));

const git = (...args: string[]) => gitText(['--git-dir', gitDir, ...args]);

test('refs are read from the files as git itself lists them: loose, packed, nested, both, deleted', async () => {
  expect([await headOf(gitDir), await branchesOf(gitDir)]).toEqual(['main', []]);
  const env = {
    GIT_AUTHOR_NAME: 'x',
    GIT_AUTHOR_EMAIL: 'x',
    GIT_COMMITTER_NAME: 'x',
    GIT_COMMITTER_EMAIL: 'x',
  };
  const tree = (await gitText(['--git-dir', gitDir, 'mktree'], { input: '' })).trim();
  const commit = (await gitText(['--git-dir', gitDir, 'commit-tree', tree, '-m', 'x'], { env })).trim();
  const later = (await gitText(['--git-dir', gitDir, 'commit-tree', tree, '-m', 'y'], { env })).trim();
  const point = (...names: string[]) => Promise.all(names.map((name) => git('update-ref', name, commit)));
  await point('refs/heads/zeta', 'refs/heads/a/b/c', 'refs/tags/v1', 'refs/heads/gone', 'refs/heads/käse');
  await git('tag', '-a', '-m', 'x', 'annotated', commit).catch(() => undefined);
  await git('pack-refs', '--all');
  await point('refs/heads/main', 'refs/heads/zeta', 'refs/heads/a/b/d');
  await git('update-ref', '-d', 'refs/heads/gone');
  await git('update-ref', 'refs/heads/zeta', later);
  mkdirSync(join(gitDir, 'refs/heads/empty'));
  writeFileSync(join(gitDir, 'refs/heads/main.lock'), '');
  const listed = (await git('for-each-ref', '--format=%(refname)')).trim().split('\n');
  expect([...(await refsOf(gitDir))].sort()).toEqual(listed.sort());
  expect(await branchesOf(gitDir)).toEqual(['main', 'a/b/c', 'a/b/d', 'käse', 'zeta']);
  // Loose, packed, both (the loose one counts), deleted; a folder of branches, a part of a name, a way out, no branch.
  const newest = await Promise.all(
    ['main', 'a/b/c', 'käse', 'zeta', 'gone'].map((name) => newestOf(gitDir, name)),
  );
  expect(newest).toEqual([commit, commit, commit, later, null]);
  for (const none of ['a/b', 'b/c', 'ain', 'empty', '../tags/v1', 'HEAD', '', 'absent'])
    expect([none, await newestOf(gitDir, none)]).toEqual([none, null]);
  await git('symbolic-ref', 'HEAD', 'refs/heads/zeta');
  expect((await branchesOf(gitDir))[0]).toBe('zeta');
  await git('symbolic-ref', 'HEAD', 'refs/heads/absent');
  expect((await branchesOf(gitDir))[0]).toBe('a/b/c');
});

test('what is no repository has no branch, and a HEAD of another kind names none', async () => {
  expect(await branchesOf(join(gitDir, 'nowhere'))).toEqual([]);
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/tags/v1\n');
  expect(await headOf(gitDir)).toBeNull();
  writeFileSync(join(gitDir, 'HEAD'), 'x'.repeat(1_000_000));
  expect(await headOf(gitDir)).toBeNull();
});
