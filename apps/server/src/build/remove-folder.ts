import { startProgram } from '../starter/start-program.ts';

async function run(file: string, args: readonly string[]): Promise<void> {
  const program = await startProgram(file, args, { PATH: '/usr/bin:/bin' });
  program.output.destroy();
  await program.ended;
}

/**
 * Removes what a build has left, however hostile: folders without rights, paths longer than a program may name.
 * The system's own tools walk by open folders, which Node's file functions cannot.
 * @throws StartError when they cannot be started
 */
export async function removeFolder(folder: string): Promise<void> {
  await run('chmod', ['-R', 'u+rwX', '--', folder]);
  await run('rm', ['-rf', '--', folder]);
}
