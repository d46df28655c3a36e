import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { leftOut } from './left-out.mjs';

/** Variables by which a running npm tells its scripts about itself; another npm takes some of them for settings. */
const OF_THE_RUNNING_NPM = /^npm_(lifecycle|package|command|execpath|node_execpath|config_local_prefix)/;

/**
 * The environment for an npm in another folder than that of the npm that started us.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THE_RUNNING_NPM.test(name)));
}

/** An install script of a package is a stranger's program, and one that fails takes its package with it. */
export const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** npm did not install what was asked for; its own output has been shown. */
export class InstallError extends Error {
  /** @override */
  name = 'InstallError';
}

/** @param {readonly string[]} missing */
export const incomplete = (missing) =>
  `npm left out ${missing.join(', ')}: not reached, or not what package-lock.json says. Try again; \`npm ping\` tells whether it reaches its registry.`;

/** @param {string} folder */
const lockOf = (folder) => {
  const file = path.join(folder, 'package-lock.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/**
 * Installs what a lock file names, with the hashes in it, in a folder beside nothing else, unless it is there already.
 * An interrupted installation leaves no half folder under the name.
 * @param {object} options
 * @param {string} options.source folder with package.json and package-lock.json
 * @param {string} options.target folder to install in
 * @param {NodeJS.ProcessEnv} options.env
 * @param {readonly [string, ...string[]]} [options.npm] what runs npm; that of the machine by default
 * @returns {boolean} whether it was not there yet
 * @throws {InstallError} when npm fails or leaves something out, also over a hash
 */
export function bring({ source, target, env, npm = ['npm'] }) {
  if (lockOf(target) === lockOf(source)) return false;
  const temporary = `${target}.new`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(path.join(source, name), path.join(temporary, name));
  const [program, ...script] = npm;
  const { status, error } = spawnSync(program, [...script, ...INSTALL, '--include=optional'], {
    cwd: temporary,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: npmEnvironment(env),
  });
  const name = path.basename(target);
  if (status !== 0)
    throw new InstallError(`npm could not fetch ${name}: ${error?.message ?? `exit code ${status}`}.`);
  const missing = leftOut(temporary);
  if (missing.length > 0) throw new InstallError(incomplete(missing));
  rmSync(target, { recursive: true, force: true });
  renameSync(temporary, target);
  return true;
}
