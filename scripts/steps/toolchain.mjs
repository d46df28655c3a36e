import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { bring, InstallError } from './bring.mjs';
import { chooseNode, explain } from './choose-node.mjs';
import { withProgress } from './progress.mjs';
import { cache, fail, root } from './project.mjs';

/**
 * @typedef {object} Toolchain
 * @property {string} node the Node that runs everything
 * @property {string} npm the script of npm, which that Node runs
 * @property {NodeJS.ProcessEnv} env for everything that is started
 * @property {string} [cwd] folder in which programs run for long; that of the project by default
 */

let fetched = false;

/**
 * Folder of the packages of one of `scripts/toolchain`, installed when needed.
 * @param {'node' | 'node-lts' | 'npm'} name
 */
function packagesOf(name) {
  const target = path.join(cache, 'toolchain', name);
  const source = path.join(root, 'scripts', 'toolchain', name);
  const has = () => bring({ source, target, env: process.env });
  if (existsSync(target) ? has() : withProgress(`Fetching ${name}`, `${target}.new`, has)) fetched = true;
  return path.join(target, 'node_modules');
}

/**
 * Each Node there is, the best first. Found by its package: the link in `.bin` is one that npm 9 removes again with the
 * packages of other platforms, which have the same one.
 */
function* nodes() {
  for (const name of /** @type {const} */ (['node', 'node-lts'])) {
    const packages = packagesOf(name);
    const entries = existsSync(packages) ? readdirSync(packages) : [];
    yield* entries
      .map((entry) => path.join(packages, entry, 'bin', 'node'))
      .filter((file) => existsSync(file));
  }
  yield process.execPath;
}

/**
 * Bytes from which glibc maps each buffer, so that the system gets it back when it is freed. By itself glibc raises this to the
 * largest buffer it has seen, and then large buffers leave holes in heaps that are never given back: 490 MB of a network that
 * is given pages of 1.8 MB, instead of 330 (decision 0094).
 */
const MAPPED_BYTES = 1024 ** 2;

/**
 * @param {string} node
 * @param {string} npm
 * @returns {NodeJS.ProcessEnv}
 */
function environment(node, npm) {
  return {
    ...process.env,
    PATH: path.dirname(node) + path.delimiter + process.env.PATH,
    // npm looks for the machine's settings beside the Node that runs it, and ours is elsewhere.
    npm_config_globalconfig:
      process.env.npm_config_globalconfig ?? path.resolve(process.execPath, '../../etc/npmrc'),
    // Builds install packages with the npm that is named here.
    npm_execpath: npm,
    // Loading the server takes half as long when its modules are compiled already.
    NODE_COMPILE_CACHE: path.join(cache, 'compiled'),
    // A caller's options are for its own Node.
    NODE_OPTIONS: undefined,
    MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? String(MAPPED_BYTES),
  };
}

/**
 * Brings Node and npm, alone and before anything else, so that nothing depends on what the machine's npm makes of the
 * other packages. Ends with a message where no Node runs.
 * @returns {Toolchain}
 */
export function toolchain() {
  try {
    const { chosen, refused } = chooseNode(nodes());
    const reasons = refused.map(explain).join('\n');
    if (chosen === undefined) fail(`No Node runs here (${process.platform}-${process.arch}).\n${reasons}`);
    const npm = path.join(packagesOf('npm'), 'npm', 'bin', 'npm-cli.js');
    if (fetched && refused.length > 0)
      process.stderr.write(`${reasons}\nUntil then, Node ${chosen.version} runs Cannery.\n`);
    return { node: chosen.file, npm, env: environment(chosen.file, npm) };
  } catch (error) {
    if (error instanceof InstallError) fail(error.message);
    throw error;
  }
}
