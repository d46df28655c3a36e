import { lstat } from 'node:fs/promises';

/** What is at a path, a link itself and not what it leads to; 'none' also for what cannot be looked at. */
export async function kindOf(path: string): Promise<'none' | 'link' | 'folder' | 'file' | 'other'> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return 'none';
  if (found.isSymbolicLink()) return 'link';
  if (found.isDirectory()) return 'folder';
  return found.isFile() ? 'file' : 'other';
}
