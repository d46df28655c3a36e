// Paths of the folder program.
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** Where a path leads, links resolved: by the system, since Node's own way asks for each part of it. */
export const realPath = realpathSync.native;

/** @param {{ base: string, place: string }} request */
export function rootOf({ base, place }) {
  return join(base, place);
}

/** @param {string} path @param {string} folder */
export function isInside(path, folder) {
  return path === folder || path.startsWith(folder + sep);
}

/**
 * The path on disk of what a request names, where the folders above it are in its place; null where a link leads out of it or
 * nothing is there.
 * @param {{ base: string, place: string, path: string }} request
 */
export function pathOf(request) {
  const root = rootOf(request);
  const path = join(root, request.path);
  if (path === root) return root;
  try {
    const real = realPath(root);
    const parent = realPath(dirname(path));
    return isInside(parent, real) ? path : null;
  } catch {
    return null;
  }
}

/** @param {string | null} path @returns {'none' | 'link' | 'folder' | 'file' | 'other'} */
export function kindAt(path) {
  try {
    const found = path === null ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return 'none';
    if (found.isSymbolicLink()) return 'link';
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? 'file' : 'other';
  } catch {
    return 'none';
  }
}

/** @param {string} path */
function partsOf(path) {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/**
 * Whether a path leads to a folder over folders only: a link on the way is none.
 * @param {string} root @param {string} path
 */
export function isPlain(root, path) {
  let at = root;
  for (const part of partsOf(path)) {
    at = join(at, part);
    if (kindAt(at) !== 'folder') return false;
  }
  return true;
}

/**
 * Makes the folders above a path, over folders only.
 * @param {string} root @param {string} path
 * @returns {{ file: string } | { blocked: string }} the path on disk, or the part that is in the way
 */
export function makeParents(root, path) {
  const parts = partsOf(path);
  let at = root;
  for (const part of parts.slice(0, -1)) {
    at = join(at, part);
    const kind = kindAt(at);
    if (kind === 'none') mkdirSync(at);
    else if (kind !== 'folder') return { blocked: part };
  }
  return { file: join(at, parts.at(-1) ?? '') };
}
