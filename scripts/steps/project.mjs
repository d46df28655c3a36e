import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the checkout. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder of everything that can be made again: Node, npm, stamps, test results, the browser. */
export const cache = path.join(root, '.cache');

/**
 * Prints a message and ends.
 * @param {string} message what is wrong and what to do about it
 * @returns {never}
 */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/**
 * Runs a program to its end in the foreground.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 * @returns {number} its exit code, 1 when a signal ended it
 */
export function run(program, args, options) {
  const result = spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) fail(`${program} could not be started: ${result.error.message}`);
  return result.status ?? 1;
}

/**
 * Like `run`, for programs that run beside each other.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>} its exit code, 1 when a signal ended it
 */
export function runBeside(program, args, options) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options });
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`${program} could not be started: ${error.message}`));
    child.once('close', (status) => resolve(status ?? 1));
  });
}

/**
 * Like `run`, but ends with the program's exit code unless that is 0.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
export function must(program, args, options) {
  const status = run(program, args, options);
  if (status !== 0) process.exit(status);
}
