import { Worker } from 'node:worker_threads';

/**
 * Runs something that keeps this thread busy until it ends, such as npm, and shows meanwhile what is done, for how long, and how
 * many of the packages of a lock file are there. On a terminal this is one line; elsewhere a line comes every ten seconds.
 * @template T
 * @param {string} what such as `Fetching packages`
 * @param {string} folder with package-lock.json, in which npm installs
 * @param {() => T} action
 * @returns {T}
 */
export function withProgress(what, folder, action) {
  process.stdout.write(`${what} ...\n`);
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const isTerminal = process.stdout.isTTY === true;
  const workerData = { what, folder, ended, isTerminal };
  // A thread, since this one waits for npm and hears nothing.
  const thread = new Worker(new URL('./progress-thread.mjs', import.meta.url), { workerData });
  thread.unref();
  try {
    return action();
  } finally {
    Atomics.store(ended, 0, 1);
    Atomics.notify(ended, 0);
    if (isTerminal) process.stdout.write('\r\u001b[K');
  }
}
