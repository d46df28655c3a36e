import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { kindOf } from '../kind-of.ts';
import { BuildError } from '../step-runner.ts';

/**
 * Whether a path leads to a folder over folders only: a link on the way is none.
 * @param path checked to lie below `root`
 */
export async function isPlainFolder(root: string, path: string): Promise<boolean> {
  let at = root;
  for (const part of path.split('/').filter((one) => one !== '' && one !== '.')) {
    at = join(at, part);
    if ((await kindOf(at)) !== 'folder') return false;
  }
  return true;
}

/**
 * Makes the folders above a path, over folders only.
 * @param path checked to lie below `root`
 * @returns the path on disk
 * @throws BuildError when something else is in the way
 */
export async function makeParents(root: string, path: string): Promise<string> {
  const parts = path.split('/').filter((one) => one !== '' && one !== '.');
  let at = root;
  for (const part of parts.slice(0, -1)) {
    at = join(at, part);
    const kind = await kindOf(at);
    if (kind !== 'none' && kind !== 'folder') {
      throw new BuildError(`${path} cannot be written, since ${part} is not a folder. Remove it, and push.`);
    }
    if (kind === 'none') await mkdir(at);
  }
  return join(at, parts.at(-1) ?? '');
}
