import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '@cannery/dev-env';
import { expect, test } from 'vitest';
import { treeOf } from './read-repository.ts';
import { GitError } from './run-git.ts';
import { readOwn } from './read-own.ts';

const NO_COMMIT = 'ab'.repeat(20);
const list = ({ gitDir }: { gitDir: string }) => treeOf(gitDir, NO_COMMIT, { recursive: true, most: 10 });

test('a repository that goes while it is read is one that is not there', async () => {
  const gitDir = await mkdtemp(join(tmpdir(), 'cannery-gone-'));
  await git(['init', '-q', '--bare'], gitDir);
  let isThere = true;
  const find = async () => (isThere ? { gitDir } : null);
  const read = readOwn(find, async (repository) => {
    await rm(gitDir, { recursive: true });
    isThere = false;
    return list(repository);
  });
  await expect(read).rejects.toMatchObject({ code: 'not_found' });
});

test('so is one whose name another has meanwhile', async () => {
  const gitDir = await mkdtemp(join(tmpdir(), 'cannery-other-'));
  const places = [{ gitDir: join(gitDir, 'gone') }, { gitDir }];
  const read = readOwn(async () => places.shift() ?? null, list);
  await expect(read).rejects.toMatchObject({ code: 'not_found' });
  await rm(gitDir, { recursive: true });
});

test('a failure of git in a repository that is there stays one', async () => {
  const gitDir = await mkdtemp(join(tmpdir(), 'cannery-there-'));
  await git(['init', '-q', '--bare'], gitDir);
  await expect(readOwn(async () => ({ gitDir }), list)).rejects.toThrow(GitError);
  await expect(readOwn(async () => null, list)).rejects.toMatchObject({ code: 'not_found' });
  await rm(gitDir, { recursive: true });
});
