// Operations on single files of the folder program.
import * as fs from 'node:fs';
import { join, posix } from 'node:path';
import { crypto } from './late-modules.mjs';
import { isInside, isPlain, kindAt, makeParents, pathOf, realPath, rootOf } from './places.mjs';
import { mayBePointer, pointerIn } from './pointers.mjs';

/** @typedef {import('./frames.mjs').Request} Request */
/** @typedef {import('./frames.mjs').Operation} Operation */

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/**
 * Where the file of a request is, with the links resolved that stay inside where it says so.
 * @param {Request} request
 * @returns {{ file: string } | { kind: 'none' | 'outside' }}
 */
function located(request) {
  if (request.links !== true) {
    const file = pathOf(request);
    return file === null ? { kind: 'none' } : { file };
  }
  try {
    const root = realPath(rootOf(request));
    const file = realPath(join(root, request.path));
    return file !== root && isInside(file, root) ? { file } : { kind: 'outside' };
  } catch {
    return { kind: 'none' };
  }
}

/**
 * @param {string} file
 * @param {number} most bytes that are read
 * @param {boolean} head whether a longer file is cut
 * @returns {{ kind: 'none' | 'other' | 'large' } | { kind: 'file', bytes: Buffer }}
 */
function readFile(file, most, head = false) {
  let opened;
  try {
    opened = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    return { kind: code === 'ELOOP' ? 'other' : 'none' };
  }
  try {
    const found = fs.fstatSync(opened);
    if (!found.isFile()) return { kind: 'other' };
    if (found.size > most && !head) return { kind: 'large' };
    const bytes = Buffer.alloc(Math.min(found.size, most));
    let at = 0;
    for (let read = -1; read !== 0 && at < bytes.length; at += read)
      read = fs.readSync(opened, bytes, at, bytes.length - at, at);
    return { kind: 'file', bytes: bytes.subarray(0, at) };
  } finally {
    fs.closeSync(opened);
  }
}

/** @param {Request} request */
function readOne(request) {
  const place = located(request);
  return 'file' in place ? readFile(place.file, request.most, request.head === true) : place;
}

/** @type {Operation} */
function read(request) {
  const found = readOne(request);
  return { result: { kind: found.kind }, body: 'bytes' in found ? [found.bytes] : [] };
}

/** Several files, each of at most this many bytes; links are followed as long as they stay inside. @type {Operation} */
function readSome(request) {
  /** @type {Buffer[]} */
  const body = [];
  const found = request.files.map((/** @type {[string, number]} */ [path, most]) => {
    const one = readOne({ ...request, path, most, links: true, head: false });
    if (!('bytes' in one)) return [one.kind, 0];
    body.push(one.bytes);
    return [one.kind, one.bytes.length];
  });
  return { result: { found }, body };
}

/**
 * Many files at once, as far as they are plain files over folders only, and within the bound; -1 for the size of any other.
 * @type {Operation}
 */
function readAll(request) {
  const root = rootOf(request);
  let left = request.most;
  /** @type {Buffer[]} */
  const body = [];
  const sizes = request.paths.map((/** @type {string} */ path) => {
    if (!isPlain(root, posix.dirname(path))) return -1;
    const found = readFile(join(root, path), left);
    if (!('bytes' in found)) return -1;
    left -= found.bytes.length;
    body.push(found.bytes);
    return found.bytes.length;
  });
  return { result: { sizes }, body };
}

/** SHA-256 of plain files, hexadecimal; null for what is none, or larger than the bound. @type {Operation} */
function hashes(request) {
  const root = rootOf(request);
  const found = request.paths.map((/** @type {string} */ path) => {
    if (!isPlain(root, posix.dirname(path))) return null;
    const one = readFile(join(root, path), request.most);
    return 'bytes' in one ? crypto().createHash('sha256').update(one.bytes).digest('hex') : null;
  });
  return { result: { hashes: found } };
}

/** @type {Operation} */
function kind(request) {
  return { result: { kind: kindAt(pathOf(request)) } };
}

/** @type {Operation} */
function plain(request) {
  return { result: { is: isPlain(rootOf(request), request.path) } };
}

/** Names of the folders in a folder. @type {Operation} */
function folders(request) {
  const path = pathOf(request);
  if (kindAt(path) !== 'folder') return { result: { names: [] } };
  const entries = fs.readdirSync(/** @type {string} */ (path), { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return { result: { names: names.sort().slice(0, request.most) } };
}

/** Characters of all paths of a list together: the server reads the answer at once. */
const PATHS_LIMIT = 4 * 1024 * 1024;

/** Paths and sizes of all files with one of the endings; links are not followed. @type {Operation} */
function list(request) {
  const root = rootOf(request);
  const skipped = new Set(request.skipped);
  /** @type {[string, number][]} */
  const found = [];
  let seen = 0;
  let names = 0;
  const pending = isPlain(root, request.path) ? [request.path] : [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    /** @type {fs.Dirent[]} */
    let entries = [];
    try {
      entries = fs.readdirSync(join(root, folder), { withFileTypes: true });
    } catch {
      // It cannot be read, or is gone.
    }
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      seen += 1;
      names += path.length;
      if (seen > request.most || names > PATHS_LIMIT) return { result: { files: null } };
      if (entry.isDirectory() && !skipped.has(entry.name)) pending.push(path);
      else if (
        entry.isFile() &&
        request.endings.some((/** @type {string} */ end) => entry.name.endsWith(end))
      )
        found.push([path, fs.lstatSync(join(root, path)).size]);
    }
  }
  return { result: { files: found.sort(([a], [b]) => (a < b ? -1 : 1)) } };
}

/**
 * @param {string} file
 * @param {number} mode
 * @param {AsyncIterable<Buffer> | Iterable<Buffer>} body
 */
async function writeNew(file, mode, body) {
  const opened = fs.openSync(file, O_CREAT | O_EXCL | O_WRONLY, mode);
  try {
    for await (const piece of body) {
      for (let at = 0; at < piece.length; ) at += fs.writeSync(opened, piece, at);
    }
  } finally {
    fs.closeSync(opened);
  }
}

/** Writes a file, and the folders above it; a link in its place is taken away, one above it refused. @type {Operation} */
async function write(request, body) {
  const made = makeParents(rootOf(request), request.path);
  if ('blocked' in made) return { result: made };
  fs.rmSync(made.file, { force: true, recursive: true });
  await writeNew(made.file, request.program === true ? 0o755 : 0o644, body.pieces());
  return { result: {} };
}

/** Makes the folders above a path. @type {Operation} */
function parents(request) {
  const made = makeParents(rootOf(request), request.path);
  return { result: 'blocked' in made ? made : {} };
}

/** Writes files into a folder: kinds are 'file', 'program' and 'folder'. @type {Operation} */
async function writeAll(request, body) {
  const root = rootOf(request);
  const made = makeParents(root, posix.join(request.path, 'x'));
  if ('blocked' in made) return { result: made };
  for (const [path, size, entry] of request.files) {
    const one = makeParents(root, posix.join(request.path, path));
    if ('blocked' in one) return { result: one };
    if (entry === 'folder') fs.mkdirSync(one.file, { recursive: true });
    else await writeNew(one.file, entry === 'program' ? 0o755 : 0o644, body.pieces(size));
  }
  return { result: {} };
}

/** Names that no checkout has: git would take what is in such a folder for its own. */
const GIT_NAME = /^(?:\.git|git~1)[. ]*$/i;

/**
 * Writes what `git cat-file --batch` gives: before each content a line that names it, after it a line feed. Answers which files are
 * pointers of Git LFS, by their places in the request.
 * @type {Operation}
 */
async function checkOut(request, body) {
  const root = rootOf(request);
  const folder = makeParents(root, posix.join(request.path, 'x'));
  if ('blocked' in folder) return { result: folder };
  let parent = request.path;
  /** @type {[place: number, oid: string, size: number, extended: boolean][]} */
  const pointers = [];
  for (const [place, [path, size, entry]] of request.files.entries()) {
    const parts = path.split('/');
    if (
      parts.some((/** @type {string} */ part) => part === '' || /^\.\.?$/.test(part) || GIT_NAME.test(part))
    )
      return { result: { blocked: path } };
    const full = posix.join(request.path, path);
    if (posix.dirname(full) !== parent) {
      if ('blocked' in makeParents(root, full)) return { result: { blocked: path } };
      parent = posix.dirname(full);
    }
    const file = join(root, full);
    if (kindAt(file) !== 'none') return { result: { blocked: path } };
    if (entry === 'folder') {
      fs.mkdirSync(file);
      continue;
    }
    const line = ` blob ${size}\n`;
    const named = Buffer.concat(await Array.fromAsync(body.pieces(request.idLength + line.length)));
    if (named.toString('latin1', request.idLength) !== line) throw new Error('git gave another object');
    const mode = entry === 'program' ? 0o755 : 0o644;
    if (mayBePointer(size)) {
      const bytes = Buffer.concat(await Array.fromAsync(body.pieces(size)));
      const pointer = pointerIn(bytes);
      if (pointer !== null) pointers.push([place, ...pointer]);
      await writeNew(file, mode, [bytes]);
    } else await writeNew(file, mode, body.pieces(size));
    await Array.fromAsync(body.pieces(1));
  }
  return { result: { pointers } };
}

/** @type {Record<string, Operation>} */
export const files = {
  read,
  readAll,
  readSome,
  hashes,
  kind,
  plain,
  folders,
  list,
  write,
  parents,
  writeAll,
  checkOut,
};
