// Makes links of files that git has written for links, where they stay inside the folder.
import * as fs from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { isInside, isPlain, kindAt, realPath, rootOf } from './places.mjs';

/** @typedef {import('./frames.mjs').Operation} Operation */

/** Bytes of the path in a link (PATH_MAX). */
const PATH_LIMIT = 4_095;
/** How often links are looked at again after others were taken back that they lead over. */
const PASSES = 20;

/**
 * Where a link leads, as its file says; null for what leads out of the folder, or is no path.
 * @param {string} root @param {string} path
 */
function targetOf(root, path) {
  const file = join(root, path);
  if (!isPlain(root, posix.dirname(path)) || kindAt(file) !== 'file') return null;
  const { size } = fs.lstatSync(file);
  if (size === 0 || size > PATH_LIMIT) return null;
  const text = fs.readFileSync(file, 'utf8');
  if (text.startsWith('/') || text.includes('\0') || text.includes('\uFFFD')) return null;
  const target = posix.join(posix.dirname(path), text);
  return target === '..' || target.startsWith('../') ? null : text;
}

/** @param {string} root @param {string} file */
function staysIn(root, file) {
  try {
    // Where it really leads: a link on its way makes more of '..' than its text says.
    return isInside(realPath(file), root);
  } catch {
    return false;
  }
}

/**
 * Lays links as git does: those only that lead to something in the folder. Others stay texts.
 * @type {Operation}
 */
export function layLinks(request) {
  const root = realPath(rootOf(request));
  /** All texts first: a link that is laid already must not be on the way to another. @type {Map<string, string>} */
  const laid = new Map();
  for (const path of request.paths) {
    const text = targetOf(root, path);
    if (text !== null) laid.set(path, text);
  }
  for (const [path, text] of laid) replace(join(root, path), (file) => fs.symlinkSync(text, file));
  for (let pass = 0; pass < PASSES; pass += 1) {
    const out = [...laid].filter(([path]) => !staysIn(root, join(root, path)));
    // The last pass takes all back that may lead over what the passes before have taken back.
    const back = pass === PASSES - 1 && out.length > 0 ? [...laid] : out;
    if (back.length === 0) break;
    for (const [path, text] of back) {
      replace(join(root, path), (file) => fs.writeFileSync(file, text, { flag: 'wx' }));
      laid.delete(path);
    }
  }
  return { result: { left: request.paths.filter((/** @type {string} */ path) => !laid.has(path)) } };
}

/** @param {string} file @param {(file: string) => void} make */
function replace(file, make) {
  const beside = join(dirname(file), `.link-${process.pid}`);
  fs.renameSync(file, beside);
  make(file);
  fs.rmSync(beside);
}
