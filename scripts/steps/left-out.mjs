import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {{ os: string, cpu: string, libc: string }} Platform */

/** @returns {Platform} */
function thisPlatform() {
  const report = /** @type {any} */ (process.report?.getReport());
  const libc = report?.header?.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return { os: process.platform, cpu: process.arch, libc };
}

/**
 * @param {string | readonly string[] | undefined} listed as in package.json: names, those to leave out with a `!` before
 * @param {string} value
 */
function fits(listed, value) {
  const names = listed === undefined ? [] : [listed].flat();
  if (names.includes(`!${value}`)) return false;
  const wanted = names.filter((name) => !name.startsWith('!'));
  return wanted.length === 0 || wanted.includes(value);
}

/**
 * Packages of a lock file that npm installs on a platform.
 * @param {any} lock
 * @param {Platform} platform
 * @returns {string[]} their paths beside the lock file
 */
export function packagesHere(lock, platform = thisPlatform()) {
  return Object.entries(lock.packages)
    .filter(
      ([name, entry]) => name.includes('node_modules/') && entry.link !== true && isFor(entry, platform),
    )
    .map(([name]) => name);
}

/**
 * @param {any} entry of a lock file
 * @param {Platform} platform
 */
function isFor({ os, cpu, libc }, platform) {
  return (
    fits(os, platform.os) && fits(cpu, platform.cpu) && (platform.os !== 'linux' || fits(libc, platform.libc))
  );
}

/**
 * Packages for one platform that a lock file names and that are not there. npm goes on without an optional package, also
 * when it could not be fetched or has another hash than the lock file says; what is for this platform is needed.
 * @param {string} folder with package-lock.json and node_modules
 * @param {Platform} platform
 * @returns {string[]} their paths below `folder`
 */
export function leftOut(folder, platform = thisPlatform()) {
  const lock = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'));
  /** @type {[string, any][]} */
  const entries = Object.entries(lock.packages);
  return entries
    .filter(([, { optional, os, cpu }]) => optional === true && (os !== undefined || cpu !== undefined))
    .filter(([, entry]) => isFor(entry, platform))
    .map(([name]) => name)
    .filter((name) => !existsSync(path.join(folder, name, 'package.json')));
}
