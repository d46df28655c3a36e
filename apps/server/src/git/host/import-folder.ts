import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitText, runGit } from '../repository/run-git.ts';

const IDENTITY = { NAME: 'Cannery', EMAIL: 'cannery@localhost' } as const;

/**
 * Makes a folder's files the first commit of an empty bare repository, on branch `main`.
 * Files that the folder's own .gitignore names stay out.
 */
export async function importFolder(gitDir: string, folder: string, message: string): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'cannery-index-'));
  const env = {
    GIT_INDEX_FILE: join(temporary, 'index'),
    GIT_AUTHOR_NAME: IDENTITY.NAME,
    GIT_AUTHOR_EMAIL: IDENTITY.EMAIL,
    GIT_COMMITTER_NAME: IDENTITY.NAME,
    GIT_COMMITTER_EMAIL: IDENTITY.EMAIL,
  };
  try {
    const place = ['--git-dir', gitDir, '--work-tree', folder];
    await runGit(['-C', folder, ...place, 'add', '--all', '--', '.'], { env });
    const tree = (await gitText([...place, 'write-tree'], { env })).trim();
    const commit = (
      await gitText(['--git-dir', gitDir, 'commit-tree', tree], { env, input: message })
    ).trim();
    await runGit(['--git-dir', gitDir, 'update-ref', 'refs/heads/main', commit]);
    await runGit(['--git-dir', gitDir, 'symbolic-ref', 'HEAD', 'refs/heads/main']);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
