// Says every while what the first thread waits for (progress.mjs).
import { existsSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { packagesHere } from './left-out.mjs';

/** How often a line is written, in ms: on a terminal over the one before, elsewhere below it. */
const PAUSE_MS = { terminal: 500, elsewhere: 10_000 };
const STDOUT = 1;

const { what, folder, ended, isTerminal } = workerData;
const startedAt = Date.now();

/** Paths of the packages that npm is to install; none before the lock file is there. */
function wanted() {
  try {
    return packagesHere(JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')));
  } catch {
    return [];
  }
}

/** @type {readonly string[]} */
let names = [];
while (Atomics.wait(ended, 0, 0, isTerminal ? PAUSE_MS.terminal : PAUSE_MS.elsewhere) === 'timed-out') {
  if (names.length === 0) names = wanted();
  const there = names.filter((name) => existsSync(path.join(folder, name, 'package.json'))).length;
  const count = names.length > 1 ? `${there} of ${names.length} packages, ` : '';
  const line = `${what}: ${count}${Math.round((Date.now() - startedAt) / 1000)} s`;
  writeSync(STDOUT, isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
}
