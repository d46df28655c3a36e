// Lists and checks the files of a site for the server; see publish-directory.ts and check-site.ts, which say what the answers mean.
import * as fs from 'node:fs';
import { join, posix } from 'node:path';
import { isInside, realPath, rootOf } from './places.mjs';

/** @typedef {import('./frames.mjs').Operation} Operation */

/** Never part of a site: they are how it is made. */
const NEVER_PUBLISHED = new Set(['.git', 'node_modules']);
/** Control characters, and characters that change the direction of text or cannot be seen: nobody could tell such names apart. */
// oxlint-disable-next-line no-control-regex -- these characters are what the expression is about
const UNSHOWABLE = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;
/** How many folders are named. */
const NAMED = 20;
/** Characters of all paths of a site together: the server reads the answer at once. */
const PATHS_LIMIT = 4 * 1024 * 1024;

/** @param {string} path */
function realOf(path) {
  try {
    return realPath(path);
  } catch {
    return null;
  }
}

/** @param {string} folder */
function foldersIn(folder) {
  const names = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NEVER_PUBLISHED.has(entry.name))
    .map(({ name }) => name);
  return names.sort().slice(0, NAMED);
}

/** @param {string} name */
function nameProblem(name) {
  // What is not UTF-8 is read with this mark in it.
  if (!name.isWellFormed() || name.includes('\uFFFD')) return 'name';
  return UNSHOWABLE.test(name) ? 'characters' : null;
}

/** @type {Operation} */
function listSite(request) {
  const root = realPath(rootOf(request));
  const folder = realOf(join(root, request.path));
  if (folder === null) return { result: { problem: 'none', folders: foldersIn(root) } };
  if (!isInside(folder, root)) return { result: { problem: 'outside' } };
  if (!fs.statSync(folder).isDirectory()) return { result: { problem: 'file' } };
  return { result: walk(root, folder, request) };
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {Record<string, any>} limits
 */
function walk(root, folder, { mostFiles, mostBytes, mostSeen, mostLeft }) {
  const prefix = folder === root ? '' : `${folder.slice(root.length + 1)}/`;
  /** The file is told where it is not what its path says. @type {[path: string, file: string, size: number][]} */
  const files = [];
  /** @type {[path: string, reason: string][]} */
  const left = [];
  let leftCount = 0;
  let bytes = 0;
  let seen = 0;
  let names = 0;
  /** @param {string} path @param {string} reason */
  const leave = (path, reason) => {
    leftCount += 1;
    if (left.length < mostLeft) left.push([path, reason]);
  };
  const pending = [''];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let open;
    try {
      open = fs.opendirSync(join(folder, next));
    } catch (error) {
      leave(next === '' ? '.' : next, String(/** @type {NodeJS.ErrnoException} */ (error).code));
      continue;
    }
    // One by one: a folder of a million names is never in memory as a whole.
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      seen += 1;
      if (seen > mostSeen) return { problem: 'many' };
      if (NEVER_PUBLISHED.has(entry.name)) continue;
      const path = posix.join(next, entry.name);
      const problem = nameProblem(entry.name);
      if (problem !== null) leave(path, problem);
      else if (entry.isDirectory()) pending.push(path);
      else {
        const file = realOf(join(folder, path));
        const found = file !== null && isInside(file, root) ? fs.lstatSync(file) : null;
        if (file === null || found === null) leave(path, 'outside');
        else if (!found.isFile()) leave(path, found.isDirectory() ? 'folder' : 'other');
        else {
          const real = file.slice(root.length + 1);
          const within = real === prefix + path ? '' : real;
          files.push([path, within, found.size]);
          bytes += found.size;
          names += path.length + within.length;
          if (files.length > mostFiles || names > PATHS_LIMIT) return { problem: 'many' };
          if (bytes > mostBytes) return { problem: 'large' };
        }
      }
    }
    open.closeSync();
  }
  return { prefix, files: files.sort(([a], [b]) => (a < b ? -1 : 1)), left, leftCount, bytes };
}

/** @type {Operation} */
async function checkSite(request, body) {
  // Few requests need it.
  const check = await import('./check.mjs');
  return check.checkSite(request, body);
}

/** @type {Record<string, Operation>} */
export const site = { listSite, checkSite };
