import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
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

/** Sources of the programs, and what makes them. */
const ofPrograms = [
  'apps/server/src',
  'packages',
  'canisters/assets',
  'canisters/system',
  'scripts/bundle-programs.ts',
  'scripts/release/runtime-packages.ts',
  'package-lock.json',
];
/** A program that was started from another build may still load files of it; those used last stay. */
const BUILDS_KEPT = 5;

/**
 * Bundles the server and the network, each build in a folder that is never written again.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @returns {Programs}
 */
function buildPrograms({ node, env }) {
  const builds = path.join(cache, 'programs');
  const folder = path.join(builds, fingerprint(ofPrograms).slice(0, 16));
  if (!existsSync(folder)) {
    process.stdout.write('Building programs ...\n');
    mkdirSync(builds, { recursive: true });
    must(node, ['scripts/bundle-programs.ts', folder], { env });
    const age = (/** @type {string} */ name) => statSync(path.join(builds, name)).mtimeMs;
    const lastUsedFirst = readdirSync(builds).sort((a, b) => age(b) - age(a));
    for (const name of lastUsedFirst.slice(BUILDS_KEPT)) rmSync(path.join(builds, name), { recursive: true });
  }
  utimesSync(folder, new Date(), new Date());
  return { server: path.join(folder, 'server.mjs'), network: path.join(folder, 'network.mjs') };
}

/** @typedef {{ server: string, network: string }} Programs what Node runs */

/**
 * Builds what is out of date.
 * @param {import('./toolchain.mjs').Toolchain} toolchain
 * @returns {import('./toolchain.mjs').Toolchain & { programs: Programs }} with the variables by which tests find the programs
 */
export function build(toolchain) {
  const { node, env } = toolchain;
  buildStep('asset canister', ['canisters/assets'], 'canisters/assets/dist/assets.wasm', () =>
    must(node, ['canisters/assets/build.ts'], { env }),
  );
  buildStep(
    'console',
    ['apps/console', 'packages/contract', 'packages/candid', 'packages/guide', 'docs'],
    'apps/console/dist/index.html',
    () => must(node, [programOf('vite'), 'build', 'apps/console', '--logLevel', 'warn'], { env }),
  );
  const programs = buildPrograms(toolchain);
  const variables = { SERVER_PROGRAM: programs.server, NETWORK_PROGRAM: programs.network };
  return { ...toolchain, programs, env: { ...env, ...variables } };
}
