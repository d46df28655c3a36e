import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../steps/project.mjs';

/**
 * Which files of tests run: those of `npm test`, or those that it leaves to `npm run test:rest` (decision 0171). Without
 * `TEST_PART` all of them, as for `npm run test:integration`.
 * @typedef {'first' | 'rest' | 'all'} Part
 */

/** @returns {Part} */
function partHere() {
  const part = process.env.TEST_PART;
  return part === 'first' || part === 'rest' ? part : 'all';
}

/** @returns {readonly string[]} paths of the files that `npm test` leaves out, from the root of the project */
export function restOfTests() {
  return JSON.parse(readFileSync(path.join(root, 'rest-of-tests.json'), 'utf8'));
}

/**
 * What a runner is told.
 * @param {'integration' | 'e2e'} kind
 * @param {string} pattern all files of the kind
 * @returns {{ include: string[], exclude: string[] }}
 */
export function filesOf(kind, pattern) {
  const rest = restOfTests().filter((file) => file.startsWith('e2e/') === (kind === 'e2e'));
  const part = partHere();
  if (part === 'rest') return { include: rest, exclude: [] };
  return { include: [pattern], exclude: part === 'first' ? rest : [] };
}
