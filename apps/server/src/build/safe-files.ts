import { constants } from 'node:fs';
import { lchown, lstat, mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { BuildError } from './step-runner.ts';

/** Bytes of a module; the network takes none above 100 MB. */
export const MODULE_LIMIT = 100 * 1024 * 1024;
/** Bytes of an interface that is read from a file. */
export const INTERFACE_LIMIT = 1024 * 1024;

/*
 * Files of a checkout in which commands of a tenant may have run: any folder of it may be a link to elsewhere. No command
 * runs while these functions do.
 */

/**
 * Writes a file of the checkout, and the folders above it; a link in its place is taken away, one above it refused. Both
 * belong to who has the checkout, so that commands may replace them.
 * @param path relative to the checkout, checked by `projectPath`
 * @throws BuildError when a folder above it is a link or a file
 */
export async function writeInCheckout(root: string, path: string, text: string): Promise<void> {
  const { uid, gid } = await stat(root);
  const isOther = uid !== process.getuid?.();
  let folder = root;
  const parents = posix.dirname(path) === '.' ? [] : posix.dirname(path).split('/');
  for (const part of parents) {
    folder = join(folder, part);
    const found = await lstat(folder).catch(() => null);
    if (found === null) {
      await mkdir(folder);
      if (isOther) await lchown(folder, uid, gid);
    } else if (!found.isDirectory()) {
      throw new BuildError(`${posix.dirname(path)} cannot be written to: ${part} is a link or a file.`);
    }
  }
  const file = join(folder, posix.basename(path));
  await rm(file, { force: true, recursive: true });
  const handle = await open(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o644);
  try {
    await handle.writeFile(text);
    if (isOther) await handle.chown(uid, gid);
  } finally {
    await handle.close();
  }
}

/**
 * Bytes of a file of the checkout; links are followed as long as they stay inside.
 * @param most bytes that are read
 * @throws BuildError when it is not there, is no file, leads out of the checkout or is too large
 */
export async function readFromCheckout(root: string, path: string, most: number): Promise<Buffer> {
  const inside = await realpath(root);
  const real = await realpath(join(inside, path)).catch(() => null);
  if (real === null) throw new BuildError(`${path} is not there after the build.`);
  if (!real.startsWith(inside + sep)) throw new BuildError(`${path} leads out of the repository.`);
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new BuildError(`${path} is not a file.`);
    if (found.size > most) throw new BuildError(`${path} is larger than ${Math.floor(most / 1024 ** 2)} MB.`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
