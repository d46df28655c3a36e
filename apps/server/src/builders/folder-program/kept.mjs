// Operations on installed packages of the folder program; see kept-packages.ts.
import * as fs from 'node:fs';
import { join } from 'node:path';
import { crypto } from './late-modules.mjs';
import { isPlain, kindAt, pathOf, rootOf } from './places.mjs';
import { removeTree } from './trees.mjs';

/** @typedef {import('./frames.mjs').Operation} Operation */

/** What folders held at a moment, by an id of the server. @type {Map<string, { names: Set<string>, at: bigint }>} */
const noted = new Map();

/** SHA-256 of a text and of files of a folder by their names. @type {Operation} */
function keyOf(request) {
  const hash = crypto().createHash('sha256').update(request.seed);
  const root = rootOf(request);
  const buffer = Buffer.alloc(64 * 1024);
  for (const file of request.names) {
    hash.update(`\0${file}\0`);
    const path = join(root, request.path, file);
    if (!isPlain(root, request.path) || kindAt(path) !== 'file') continue;
    const opened = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    for (let read = fs.readSync(opened, buffer); read > 0; read = fs.readSync(opened, buffer))
      hash.update(buffer.subarray(0, read));
    fs.closeSync(opened);
  }
  return { result: { key: hash.digest('hex') } };
}

/**
 * Notes what a folder holds, at a moment by the clock of the file system: no build can set what this clock says of a change.
 * @type {Operation}
 */
function note(request) {
  const folder = pathOf(request);
  if (kindAt(folder) !== 'folder') return { result: { noted: false } };
  const mark = join(rootOf({ base: request.base, place: request.scratch }), `.${crypto().randomUUID()}`);
  fs.writeFileSync(mark, '', { flag: 'wx' });
  const { ctimeNs: at } = fs.lstatSync(mark, { bigint: true });
  fs.rmSync(mark);
  noted.set(request.id, { names: new Set(fs.readdirSync(/** @type {string} */ (folder))), at });
  return { result: { noted: true } };
}

/**
 * What has been done to the noted entries; what came beside them is removed where all are as they were.
 * @type {Operation}
 */
function compare(request) {
  const before = noted.get(request.id);
  const root = rootOf(request);
  if (before === undefined || !isPlain(root, request.path)) return { result: { state: 'none' } };
  const folder = join(root, request.path);
  const state = stateOf(folder, before, request);
  if (state !== 'same') return { result: { state } };
  for (const name of fs.readdirSync(folder)) if (!before.names.has(name)) removeTree(join(folder, name));
  return { result: { state: fs.readdirSync(folder).length === before.names.size ? 'same' : 'none' } };
}

/**
 * @param {string} folder
 * @param {{ names: Set<string>, at: bigint }} before
 * @param {Record<string, any>} limits
 */
function stateOf(folder, { names, at }, { mostEntries, mostBytes }) {
  const pending = [...names].map((name) => join(folder, name));
  let seen = 0;
  let blocks = 0n;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const found = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined || found.ctimeNs > at) return 'changed';
    seen += 1;
    blocks += found.blocks;
    if (seen > mostEntries || blocks * 512n > BigInt(mostBytes)) return 'large';
    if (found.isDirectory()) for (const name of fs.readdirSync(path)) pending.push(join(path, name));
  }
  return 'same';
}

/** Makes an entry young. @type {Operation} */
function touch(request) {
  const path = pathOf(request);
  if (path !== null && kindAt(path) === 'none') fs.writeFileSync(path, '');
  if (path !== null) fs.lutimesSync(path, new Date(), new Date());
  return { result: {} };
}

/** Removes the oldest entries of a folder, of each ending those beyond its number. @type {Operation} */
function forget(request) {
  const folder = rootOf(request);
  const all = fs
    .readdirSync(folder)
    .filter((name) => !name.startsWith(request.except))
    .map((name) => ({
      name,
      used: fs.lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.used - a.used);
  const isMark = (/** @type {{ name: string }} */ { name }) => name.endsWith(request.mark);
  const old = [
    ...all.filter((one) => !isMark(one)).slice(request.most),
    ...all.filter(isMark).slice(request.mostMarks),
  ];
  for (const { name } of old) removeTree(join(folder, name));
  return { result: {} };
}

/** The address of a package in a yarn.lock. The host differs from registry to registry, what follows does not. */
const RESOLVED = /(resolved ")https?:\/\/[^/"\s]{1,200}\/((?:@[^/"\s]{1,200}\/)?[^/"\s]{1,200}\/-\/)/g;

/** Makes the addresses of a lock file of the first yarn follow a registry. @type {Operation} */
function followRegistry(request) {
  const path = pathOf(request);
  if (path === null || kindAt(path) !== 'file' || fs.lstatSync(path).size > request.most)
    return { result: {} };
  const text = fs.readFileSync(path, 'utf8');
  // The file may be one name of several: its content is put in its place, not into it.
  fs.rmSync(path);
  fs.writeFileSync(
    path,
    text.replace(RESOLVED, (_, before, rest) => before + request.registry + rest),
    { flag: 'wx' },
  );
  return { result: {} };
}

/** @type {Record<string, Operation>} */
export const kept = { keyOf, note, compare, touch, forget, followRegistry };
