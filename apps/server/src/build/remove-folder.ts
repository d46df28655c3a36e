import { spawn } from 'node:child_process';
import { once } from 'node:events';

async function run(file: string, args: readonly string[]): Promise<void> {
  const child = spawn(file, [...args], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } });
  await once(child, 'exit');
}

/**
 * Removes what a build has left, however hostile: folders without rights, paths longer than a program may name.
 * The system's own tools walk by open folders, which Node's file functions cannot.
 */
export async function removeFolder(folder: string): Promise<void> {
  await run('chmod', ['-R', 'u+rwX', '--', folder]);
  await run('rm', ['-rf', '--', folder]);
}
