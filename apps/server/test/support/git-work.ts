import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '@cannery/dev-env';

/** A checkout in a new folder below `parent`, whose one commit has a file of bytes that cannot be made shorter. */
export async function workOf(parent: string, bytes: number): Promise<string> {
  const path = await mkdtemp(join(parent, 'work-'));
  await writeFile(join(path, 'data.bin'), randomBytes(bytes));
  await git(['init', '-q', '-b', 'main'], path);
  await git(['add', '-A'], path);
  await git(['commit', '-q', '-m', 'x'], path);
  return path;
}
