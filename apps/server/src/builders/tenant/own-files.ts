import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { EntryKind, ListedFile, ProjectFiles } from './project-files.ts';

/** The files of a folder that comes with the product, such as a sample. It is no folder of a tenant: it has a path. */
export function ownFiles(folder: string): ProjectFiles {
  const kindOf = async (path: string): Promise<EntryKind> => {
    const found = await lstat(join(folder, path)).catch(() => null);
    if (found === null) return 'none';
    if (found.isSymbolicLink()) return 'link';
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? 'file' : 'other';
  };
  const bytesOf = async (path: string, most: number): Promise<Buffer | 'none' | 'large'> => {
    const found = await lstat(join(folder, path)).catch(() => null);
    if (!found?.isFile()) return 'none';
    return found.size > most ? 'large' : readFile(join(folder, path));
  };
  const isFolder = async (path: string): Promise<boolean> => {
    let at = '';
    for (const part of path.split('/').filter((one) => one !== '' && one !== '.')) {
      at = posix.join(at, part);
      if ((await kindOf(at)) !== 'folder') return false;
    }
    return true;
  };
  return {
    kindOf,
    isFolder,
    async textOf(path, most) {
      const found = await bytesOf(path, most);
      return typeof found === 'string' ? { kind: found } : { kind: 'file', text: found.toString('utf8') };
    },
    async foldersIn(path) {
      const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    async list(endings, { within, skipped, most }) {
      const found: ListedFile[] = [];
      const pending = [within];
      let seen = 0;
      for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
        for (const entry of await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])) {
          const path = posix.join(at, entry.name);
          seen += 1;
          if (seen > most) return null;
          if (entry.isDirectory() && !skipped.includes(entry.name)) pending.push(path);
          if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
            found.push({ path, size: (await lstat(join(folder, path))).size });
        }
      }
      return found.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async hashesOf(paths, most) {
      const hashes: (string | null)[] = [];
      for (const path of paths) {
        const isThere = await isFolder(posix.dirname(path));
        const found = isThere ? await bytesOf(path, most) : 'none';
        hashes.push(typeof found === 'string' ? null : createHash('sha256').update(found).digest('hex'));
      }
      return hashes;
    },
  };
}
