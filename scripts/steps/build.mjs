import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { programOf } from './install.mjs';
import { cache, must, root } from './project.mjs';

/**
 * Hash over names, sizes and times of all files below some paths: cheap, and changes with every edit.
 * @param {readonly string[]} paths
 */
function fingerprint(paths) {
  const hash = createHash('sha256');
  /** @param {string} file */
  const visit = (file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return;
    if (stat.isDirectory()) {
      for (const name of readdirSync(file).sort()) {
        if (name !== 'node_modules' && name !== 'dist') visit(path.join(file, name));
      }
    } else hash.update(`${path.relative(root, file)}\0${stat.size}\0${stat.mtimeMs}\n`);
  };
  for (const entry of paths) visit(path.join(root, entry));
  return hash.digest('hex');
}

/**
 * Runs a build step unless its output is there and none of its sources changed since.
 * @param {string} name
 * @param {readonly string[]} sources
 * @param {string} output
 * @param {() => void} action
 */
function buildStep(name, sources, output, action) {
  const stamp = path.join(cache, `${name}.stamp`);
  const seen = fingerprint([...sources, 'package-lock.json']);
  if (existsSync(path.join(root, output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === seen)
    return;
  process.stdout.write(`Building ${name} ...\n`);
  action();
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, seen);
}

/**
 * Builds what is out of date.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 */
export function build({ node, env }) {
  buildStep('asset canister', ['canisters/assets'], 'canisters/assets/dist/assets.wasm', () =>
    must(node, ['canisters/assets/build.ts'], { env }),
  );
  buildStep(
    'console',
    ['apps/console', 'packages/contract', 'packages/candid', 'packages/guide', 'docs'],
    'apps/console/dist/index.html',
    () => must(node, [programOf('vite'), 'build', 'apps/console', '--logLevel', 'warn'], { env }),
  );
}
