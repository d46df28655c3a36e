import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './project.mjs';

/** Days within which the reason of a second try has to be found. */
const MOST_DAYS = 30;
const MS_PER_DAY = 86_400_000;

/** @typedef {{ test: string, since: string, why: string }} Excuse a test, the day it was listed (YYYY-MM-DD), what is known */

/** @returns {readonly Excuse[]} tests that may pass at their second try */
export function excuses() {
  return JSON.parse(readFileSync(path.join(root, 'second-tries.json'), 'utf8'));
}

/**
 * Which of the tests that passed at their second try only fail a run: those that nobody has listed, or not lately.
 * @param {readonly string[]} titles as the report has them
 * @param {readonly Excuse[]} excused
 * @param {Date} now
 * @returns {string[]}
 */
export function inexcusable(titles, excused, now) {
  const listed = new Set(
    excused
      .filter(({ since }) => now.getTime() - Date.parse(since) < MOST_DAYS * MS_PER_DAY)
      .map(({ test }) => test),
  );
  return titles.filter((title) => !listed.has(withoutLine(title)));
}

/**
 * A line number changes with every edit above it.
 * @param {string} title
 */
function withoutLine(title) {
  return title.replace(/^(\S+\.ts):\d+ /, '$1 ');
}
