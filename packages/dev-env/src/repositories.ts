import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Api } from './api.ts';

const run = promisify(execFile);

/** Runs git as a developer would, without this machine's settings. */
export async function git(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run('git', [...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
    },
  });
  return stdout;
}

/** Makes paths of a repository's index submodules at these commits. */
export async function addSubmodules(
  work: string,
  submodules: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [place, commit] of Object.entries(submodules))
    await git(['update-index', '--add', '--cacheinfo', `160000,${commit},${place}`], work);
}

/**
 * Commits the files of a folder and pushes them to the product's git host with a fresh personal token.
 * @returns the commit's id
 */
export async function pushFolder(options: {
  productUrl: string;
  api: Api;
  folder: string;
  owner: string;
  name: string;
  message?: string;
  /** Commits of other repositories by their paths in this one. */
  submodules?: Readonly<Record<string, string>>;
}): Promise<string> {
  const { secret } = await options.api.call<{ secret: string }>('POST', '/repository/tokens', {
    label: 'test',
  });
  const work = mkdtempSync(path.join(tmpdir(), 'cannery-push-'));
  try {
    cpSync(options.folder, work, { recursive: true, filter: (file) => path.basename(file) !== '.git' });
    await git(['init', '-q', '-b', 'main'], work);
    await git(['add', '-A', '-f'], work);
    await addSubmodules(work, options.submodules);
    await git(['commit', '-q', '-m', options.message ?? `Import ${options.name}`], work);
    const remote = new URL(`/${options.owner}/${options.name}.git`, options.productUrl);
    remote.username = options.owner;
    remote.password = secret;
    await git(['push', '-q', '--force', remote.href, 'main'], work);
    return (await git(['rev-parse', 'HEAD'], work)).trim();
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
