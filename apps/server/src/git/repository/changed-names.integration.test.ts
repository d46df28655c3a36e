import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changedFiles, changedNames } from './changed-names.ts';
import { messageOfCommit } from './commit-message.ts';
import { tagOf } from './read-tag.ts';

let gitDir: string;
beforeAll(() => {
  gitDir = mkdtempSync(join(tmpdir(), 'cannery-names-'));
  git(['init', '--bare', '--quiet']);
});
afterAll(() => rmSync(gitDir, { recursive: true, force: true }));

function git(args: readonly string[], input = ''): string {
  const person = { NAME: 'Ada', EMAIL: 'ada@example.org', DATE: '2026-01-01T00:00:00Z' };
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    HOME: gitDir,
    GIT_CONFIG_NOSYSTEM: '1',
  };
  for (const [name, value] of Object.entries(person)) {
    env[`GIT_AUTHOR_${name}`] = value;
    env[`GIT_COMMITTER_${name}`] = value;
  }
  return execFileSync('git', ['--git-dir', gitDir, ...args], { input, env, encoding: 'utf8' }).trim();
}

const blob = (text: string): string => git(['hash-object', '-w', '--stdin'], text);
const commitOf = (tree: string, message = 'x'): string => git(['commit-tree', tree, '-F', '-'], message);
/** A tree of files, all with the same text. */
const treeOf = (names: readonly string[], text = 'x'): string => {
  const id = blob(text);
  return git(['mktree', '-z'], names.map((name) => `100644 blob ${id}\t${name}\0`).join(''));
};

test('names are what differs, whatever is in them, and there are none between the same', async () => {
  const [one, other] = [commitOf(treeOf(['a', 'b'])), commitOf(treeOf(['b', 'c d\n"e"', '-r']))];
  expect((await changedNames(gitDir, one, other))?.toSorted()).toEqual(['-r', 'a', 'c d\n"e"']);
  expect(await changedNames(gitDir, one, one)).toEqual([]);
});

test('files tell how they differ, whatever is in their names', async () => {
  const [one, other] = [commitOf(treeOf(['a', 'b', 'M'])), commitOf(treeOf(['b', 'M', 'A\n\tD', '-r'], 'y'))];
  expect((await changedFiles(gitDir, one, other))?.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: '-r', change: 'added' },
    { path: 'A\n\tD', change: 'added' },
    { path: 'M', change: 'changed' },
    { path: 'a', change: 'removed' },
    { path: 'b', change: 'changed' },
  ]);
  expect(await changedFiles(gitDir, one, one)).toEqual([]);
  expect(await changedFiles(gitDir, '0'.repeat(40), one)).toBeNull();
  await expect(changedFiles(gitDir, '--output=/tmp/x', one)).rejects.toThrow(RangeError);
});

test('too many names, a commit that is gone and a tree that never ends tell nothing', async () => {
  const base = commitOf(treeOf(['a']));
  const many = commitOf(treeOf(Array.from({ length: 3_000 }, (_, n) => `${'n'.repeat(90)}${n}`)));
  expect(await changedNames(gitDir, base, many)).toBeNull();
  expect(await changedNames(gitDir, '0'.repeat(40), base)).toBeNull();
  // Ten folders of ten folders, ten deep: 300 bytes each, and more names than a disk holds.
  let tree = treeOf(['leaf']);
  for (let depth = 0; depth < 10; depth += 1) {
    const entries = Array.from({ length: 10 }, (_, n) => `040000 tree ${tree}\t${n}\0`).join('');
    tree = git(['mktree', '-z'], entries);
  }
  expect(await changedNames(gitDir, base, commitOf(tree))).toBeNull();
  for (const none of ['HEAD', '--output=/tmp/x', '', base.slice(0, 7)])
    await expect(changedNames(gitDir, none, base)).rejects.toThrow(RangeError);
});

test('a message is read whole or not at all', async () => {
  const tree = treeOf(['a']);
  expect(await messageOfCommit(gitDir, commitOf(tree, 'One\n\nTwo'))).toContain('One\n\nTwo');
  expect(await messageOfCommit(gitDir, commitOf(tree, 'm'.repeat(65 * 1024)))).toBeNull();
  expect(await messageOfCommit(gitDir, '0'.repeat(40))).toBeNull();
  await expect(messageOfCommit(gitDir, '--all')).rejects.toThrow(RangeError);
});

test('a tag leads to its commit, through tags of tags; one that leads elsewhere is none', async () => {
  const tree = treeOf(['a']);
  const commit = commitOf(tree);
  git(['tag', 'light', commit]);
  git(['tag', '-a', '-m', 'x', 'heavy', commit]);
  git(['tag', '-a', '-m', 'x', 'twice', 'heavy']);
  git(['tag', 'tree', tree]);
  git(['tag', 'deep/er', commit]);
  expect(await tagOf(gitDir, 'light')).toEqual({ target: commit, commit });
  for (const name of ['heavy', 'twice', 'deep/er'])
    expect(await tagOf(gitDir, name)).toEqual({ target: git(['rev-parse', name]), commit });
  for (const name of ['tree', 'gone', 'deep', 'light^{tree}', 'light~1', '--all', '../heads/x', ''])
    expect(await tagOf(gitDir, name)).toBeNull();
});
