// Operations on whole folders of the folder program. Programs of the system walk by open folders, so that paths longer than a
// program may name are no hindrance.
import * as fs from 'node:fs';
import { join, posix } from 'node:path';
import { childProcess } from './late-modules.mjs';
import { isInside, isPlain, kindAt, pathOf, realPath, rootOf } from './places.mjs';

/** @typedef {import('./frames.mjs').Operation} Operation */

/** @param {string} program @param {readonly string[]} args */
function run(program, args) {
  const { status, error } = childProcess().spawnSync(program, args, {
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin' },
  });
  if (error) throw error;
  return status === 0;
}

/** @param {string} path */
export function removeTree(path) {
  if (kindAt(path) === 'none') return;
  // Rights that a build took away keep only few folders from being removed.
  if (!run('rm', ['-rf', '--', path])) {
    run('chmod', ['-R', 'u+rwX', '--', path]);
    run('rm', ['-rf', '--', path]);
  }
}

/** @type {Operation} */
function remove(request) {
  const path = pathOf(request);
  if (path !== null) removeTree(path);
  return { result: {} };
}

/** Removes all that is in a place, which itself stays. @type {Operation} */
function empty(request) {
  const root = rootOf(request);
  if (kindAt(root) !== 'folder') return { result: { left: 0 } };
  const below = ['-mindepth', '1', '-maxdepth', '1'];
  const removeAll = () => run('find', [root, ...below, '-exec', 'rm', '-rf', '--', '{}', '+']);
  if (fs.readdirSync(root).length > 0 && !removeAll()) {
    run('find', [root, ...below, '-exec', 'chmod', '-R', 'u+rwX', '--', '{}', '+']);
    removeAll();
  }
  return { result: { left: fs.readdirSync(root).length } };
}

/** Moves a folder to where none is. @type {Operation} */
function move({ base, from, to }) {
  const source = pathOf({ base, ...from });
  const target = pathOf({ base, ...to });
  if (source === null || target === null || kindAt(source) !== 'folder') return { result: { moved: false } };
  try {
    fs.renameSync(source, target);
    return { result: { moved: true } };
  } catch {
    return { result: { moved: false } };
  }
}

/** Moves all that is in a folder into a place. @type {Operation} */
function moveContents({ base, from, to }) {
  const root = rootOf({ base, ...from });
  if (!isPlain(root, from.path)) return { result: { moved: false } };
  const source = join(root, from.path);
  for (const name of fs.readdirSync(source))
    fs.renameSync(join(source, name), join(rootOf({ base, ...to }), name));
  return { result: { moved: true } };
}

/** Copies a folder to where none is. @type {Operation} */
function copy({ base, from, to }) {
  const source = pathOf({ base, ...from });
  const target = pathOf({ base, ...to });
  if (source === null || target === null || kindAt(target) !== 'none') return { result: { copied: false } };
  const copied = run('cp', ['-a', '--reflink=auto', '--', source, target]);
  if (!copied) removeTree(target);
  return { result: { copied } };
}

/** Bytes of all files below a folder; counting ends beyond `most`. @param {string} folder @param {number} most */
function bytesOf(folder, most) {
  let total = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined && total <= most; next = pending.pop()) {
    /** @type {fs.Dirent[]} */
    let entries = [];
    try {
      entries = fs.readdirSync(next, { withFileTypes: true });
    } catch {
      // It cannot be read.
    }
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else total += (fs.lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
    }
  }
  return total;
}

/** @type {Operation} */
function bytes(request) {
  const path = pathOf(request);
  return { result: { bytes: path === null ? 0 : bytesOf(path, request.most) } };
}

/**
 * Whether a folder has nothing but files, folders and links that stay inside; everybody may read it then.
 * @type {Operation}
 */
function seal(request) {
  const root = realPath(rootOf(request));
  let seen = 0;
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of fs.readdirSync(join(root, folder), { withFileTypes: true })) {
      seen += 1;
      const path = posix.join(folder, entry.name);
      if (seen > request.most) return { result: { sealed: false, path: '' } };
      if (entry.isDirectory()) pending.push(path);
      else if (!entry.isFile() && !(entry.isSymbolicLink() && staysIn(root, path)))
        return { result: { sealed: false, path } };
    }
  }
  return { result: { sealed: run('chmod', ['-R', 'a+rX,go-w', '--', root]), path: '' } };
}

/** @param {string} root @param {string} path */
function staysIn(root, path) {
  const text = fs.readlinkSync(join(root, path));
  if (text.startsWith('/')) return false;
  try {
    return isInside(realPath(join(root, path)), root);
  } catch {
    return false;
  }
}

/** @type {Record<string, Operation>} */
export const trees = { remove, empty, move, moveContents, copy, bytes, seal };
