// What `dfx`, `icp`, `mops` and `vessel` answer to the scripts of a project while it is built. The canisters exist, their
// bindings are written and their packages are there before any script runs, so most of what scripts ask is done already.
// `rsync` copies folders of the project: templates of dfx called it until 2022 to fetch bindings, and few machines have it.
// This file runs inside the sandbox, in the project's Node, with nothing but what is in the checkout.
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const [tool = '', ...all] = process.argv.slice(2);
const words = all.filter((word) => !word.startsWith('-'));
const network = process.env.DFX_NETWORK ?? 'local';

/**
 * Writes to the error output, so that nobody takes it for the answer.
 * @param {string} text
 */
function tell(text) {
  process.stderr.write(`${tool}: ${text}\n`);
}

/**
 * Finds a file in the current folder or one above it.
 * @param {string} path
 */
function findAbove(path) {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const file = join(folder, path);
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * The answer to the one who called.
 * @param {string} text
 */
function print(text) {
  process.stdout.write(`${text}\n`);
}

/** @param {string} name */
function idOf(name) {
  const file = findAbove(network === 'ic' ? 'canister_ids.json' : join('.dfx', network, 'canister_ids.json'));
  return file === undefined ? undefined : JSON.parse(readFileSync(file, 'utf8'))[name]?.[network];
}

/** @param {string} name */
function answerId(name) {
  const id = idOf(name);
  if (id !== undefined) return print(id);
  tell(`The project has no canister named '${name}'.`);
  process.exitCode = 1;
}

function dfx() {
  if (all.includes('--version') || all.includes('-V')) return print(`dfx ${process.env.DFX_VERSION}`);
  const [command, action] = words;
  if (command === 'canister' && action === 'id') return answerId(words[2] ?? '');
  if (command === 'cache' && action === 'show') return print(import.meta.dirname);
  if (command === 'info' && action === 'networks-json-path') return print('/dev/null');
  if (command === 'identity' && action === 'get-principal') return print('2vxsx-fae');
  if (command === 'generate') return tell('the declarations are written already.');
  tell(`'${words.slice(0, 2).join(' ')}' is done by the deploy itself.`);
}

function icp() {
  if (all.includes('--version') || all.includes('-V')) return print('icp 1.5.0');
  const [command, action] = words;
  if (command === 'canister' && action === 'status' && all.includes('--id-only'))
    return answerId(words[2] ?? '');
  if (command === 'canister' && action === 'id') return answerId(words[2] ?? '');
  tell(`'${words.slice(0, 2).join(' ')}' is done by the deploy itself.`);
}

function packages() {
  const [command, action] = words;
  if (command === 'sources') {
    const file = join(import.meta.dirname, 'package-sources');
    return process.stdout.write(existsSync(file) ? readFileSync(file, 'utf8') : '');
  }
  if (command === 'toolchain' && action === 'bin') return print(join(import.meta.dirname, words[2] ?? 'moc'));
  tell(`'${words.slice(0, 2).join(' ')}' is done by the deploy itself.`);
}

/**
 * Whether a pattern of `--exclude` names this file or folder.
 * @param {string} pattern
 * @param {string} path
 */
function isNamed(pattern, path) {
  if (pattern.endsWith('/') && !statSync(path).isDirectory()) return false;
  const parts = basename(pattern).split('*');
  const text = parts.map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*');
  return new RegExp(`^${text}$`).test(basename(path));
}

/** Copies files and folders into a folder. What else is there stays, also with `--delete`. */
function rsync() {
  const separate = all.flatMap((word, index) => (all[index - 1] === '--exclude' ? [word] : []));
  const joined = all.flatMap((word) => (word.startsWith('--exclude=') ? [word.slice(10)] : []));
  const excluded = [...joined, ...separate];
  const paths = all.filter((word, index) => !word.startsWith('-') && all[index - 1] !== '--exclude');
  const target = paths.pop() ?? '.';
  mkdirSync(target, { recursive: true });
  for (const path of paths) {
    if (!existsSync(path)) {
      tell(`'${path}' is not there.`);
      process.exitCode = 23;
      continue;
    }
    const into = path.endsWith('/') ? target : join(target, basename(path));
    const filter = (/** @type {string} */ file) =>
      file === path || !excluded.some((pattern) => isNamed(pattern, file));
    if (!excluded.some((pattern) => isNamed(pattern, path))) cpSync(path, into, { recursive: true, filter });
  }
}

/** @type {Record<string, () => unknown>} */
const tools = { dfx, icp, mops: packages, vessel: packages, rsync };
tools[tool]?.();
