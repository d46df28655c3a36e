import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { ProjectFiles } from './project-files.ts';

/** Files that are in memory, by their paths, as those of a project. */
export function textFiles(contents: ReadonlyMap<string, Uint8Array>): ProjectFiles {
  const folders = new Set<string>(['']);
  for (const path of contents.keys()) {
    for (let at = posix.dirname(path); at !== '.' && !folders.has(at); at = posix.dirname(at))
      folders.add(at);
  }
  const short = (path: string): string => posix.join('/', path).slice(1).replace(/\/$/, '');
  const within = (most: number, path: string): Uint8Array | 'none' | 'large' => {
    const found = contents.get(short(path));
    if (found === undefined) return 'none';
    return found.length > most ? 'large' : found;
  };
  const isFolder = (path: string): boolean => folders.has(short(path));
  return {
    textOf: async (path, most) => {
      const found = within(most, path);
      if (typeof found === 'string') return { kind: found };
      return { kind: 'file', text: Buffer.from(found).toString('utf8') };
    },
    kindOf: async (path) => (contents.has(short(path)) ? 'file' : isFolder(path) ? 'folder' : 'none'),
    isFolder: async (path) => isFolder(path),
    foldersIn: async (path) => {
      const parent = short(path);
      const own = [...folders].filter((one) => one !== '' && short(posix.dirname(one)) === parent);
      return own.map((one) => posix.basename(one)).sort();
    },
    list: async (endings, { within: folder, skipped, most }) => {
      if (contents.size > most) return null;
      const above = short(folder) === '' ? '' : `${short(folder)}/`;
      return [...contents]
        .filter(([path]) => path.startsWith(above) && endings.some((ending) => path.endsWith(ending)))
        .filter(
          ([path]) =>
            !posix
              .dirname(path.slice(above.length))
              .split('/')
              .some((part) => skipped.includes(part)),
        )
        .map(([path, { length }]) => ({ path, size: length }))
        .sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    hashesOf: async (paths, most) =>
      paths.map((path) => {
        const found = within(most, path);
        return typeof found === 'string' ? null : createHash('sha256').update(found).digest('hex');
      }),
  };
}
