import { spawnSync } from 'node:child_process';
import { howToInstall, missingLibrary } from './missing-library.mjs';

/** Canisters of Motoko need 64-bit memories and tables, which V8 runs since the one of Node 24. */
const OLDEST_MAJOR = 24;

/**
 * @typedef {object} Trial
 * @property {string} file
 * @property {string} version such as `26.10.0`; empty when it does not run
 * @property {string} problem why it does not run; empty when it does
 */

/**
 * Starts a Node to see whether it runs here.
 * @param {string} file
 * @returns {Trial}
 */
function tryNode(file) {
  // It says its version before it starts V8, which takes a twentieth of a second of every start.
  const { stdout, stderr, error } = spawnSync(file, ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: undefined },
  });
  const version = stdout?.trim().replace(/^v/, '') ?? '';
  const problem = version === '' ? (error?.message ?? stderr?.trim() ?? 'it says nothing') : '';
  return { file, version, problem };
}

/**
 * Takes the first Node that runs here and is new enough. Later ones are only asked for when they are needed.
 * @param {Iterable<string>} files paths of Node programs, the best first
 * @returns {{ chosen: Trial | undefined, refused: readonly Trial[] }} with those before it and why they do not run
 */
export function chooseNode(files) {
  /** @type {Trial[]} */
  const refused = [];
  for (const file of files) {
    const trial = tryNode(file);
    if (Number.parseInt(trial.version, 10) >= OLDEST_MAJOR) return { chosen: trial, refused };
    refused.push(trial);
  }
  return { chosen: undefined, refused };
}

/**
 * Says why a Node was not taken and, where a library is missing, what brings it.
 * @param {Trial} trial
 */
export function explain({ file, version, problem }) {
  if (version !== '') return `${file} is Node ${version}; it takes ${OLDEST_MAJOR} or newer.`;
  const library = missingLibrary(problem);
  return library === undefined
    ? `${file} does not run: ${problem}`
    : `${file} needs ${library}, which this system does not have. ${howToInstall(library)}`;
}
