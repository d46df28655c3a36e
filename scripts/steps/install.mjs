import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { incomplete, INSTALL, npmEnvironment } from './bring.mjs';
import { leftOut } from './left-out.mjs';
import { withProgress } from './progress.mjs';
import { fail, must, root } from './project.mjs';

/**
 * Installs the packages of the lock file, unless that has been done since it changed.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 */
export function install({ node, npm, env }) {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(root, 'node_modules', '.install-stamp');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  withProgress('Installing dependencies (first start, or the lock file changed)', root, () =>
    must(node, [npm, ...INSTALL, '--include=dev', '--include=optional'], { env: npmEnvironment(env) }),
  );
  const missing = leftOut(root);
  if (missing.length > 0) fail(incomplete(missing));
  writeFileSync(stamp, lock);
}

/**
 * The script of a program from npm, by its package: a link in `node_modules/.bin` belongs to whichever package came last.
 * @param {string} name of the package
 * @returns {string}
 */
export function programOf(name) {
  const folder = path.join(root, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}
