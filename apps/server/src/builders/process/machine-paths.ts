import { access, constants, lstat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The program of that name on a search path, or null. */
export async function findProgram(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter).filter((part) => part.startsWith('/'))) {
    const file = join(folder, name);
    const runnable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runnable) return file;
  }
  return null;
}

/** What is at a path, a link itself and not what it leads to; 'none' also for what cannot be looked at. */
export async function kindOf(path: string): Promise<'none' | 'link' | 'folder' | 'file' | 'other'> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 'none';
  if (found.isSymbolicLink()) return 'link';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'other';
}
