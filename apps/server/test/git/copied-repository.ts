import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { git } from '@cannery/dev-env';
import { idOf } from '../../src/git/repository/repository-id.ts';
import { gitText, runGit } from '../../src/git/repository/run-git.ts';
import type { S3Service } from '../service/s3-service.ts';

const PROGRAM = fileURLToPath(new URL('copy-program.ts', import.meta.url));

/** A repository as git tells it: refs, HEAD, and all objects. */
export async function told(gitDir: string): Promise<string[]> {
  const ask = async (...args: string[]): Promise<string> =>
    (await runGit(['--git-dir', gitDir, ...args])).toString('latin1');
  await gitText(['--git-dir', gitDir, 'fsck', '--full', '--strict']);
  return [
    await ask('for-each-ref'),
    await ask('symbolic-ref', 'HEAD'),
    (await ask('rev-list', '--objects', '--all')).split('\n').toSorted().join('\n'),
    await idOf(gitDir),
  ];
}

const ONE_PACK = '--receive-pack=git -c receive.unpackLimit=1 receive-pack';

/** Pushes a new commit as a push comes: it stays one pack. */
export async function pushTo(work: string, gitDir: string, bytes = 50_000): Promise<void> {
  await appendFile(join(work, 'more.txt'), `${bytes} ${performance.now()}\n`.repeat(bytes / 20));
  await git(['add', '-A'], work);
  await git(['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'more'], work);
  await git(['push', '-q', ONE_PACK, gitDir, 'main'], work);
}

/** Copies in another process, which is killed when it asks the bucket for something; that never comes to pass. */
export async function killCopying(
  s3: S3Service,
  settings: Record<string, string>,
  at: (method: string, url: string) => boolean,
): Promise<void> {
  const reached = Promise.withResolvers<void>();
  s3.hold(({ method = '', url = '' }) => {
    if (!at(method, url)) return false;
    reached.resolve();
    return true;
  });
  const started = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(started, 'exit');
  await Promise.race([reached.promise, ended]);
  started.kill('SIGKILL');
  const [, signal] = await ended;
  s3.hold(undefined);
  if (signal !== 'SIGKILL') throw new Error('It ended before the bucket was asked for that.');
}
