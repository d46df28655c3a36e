#!/usr/bin/env node
// The program of the npm package (`npx cannery`). Plain JavaScript for whatever Node (18 or newer) the machine has: at the first start
// it fetches Node, npm and the packages that the product runs on into the folder of the package, by the hashes of lock files,
// and runs what was bundled when the package was made. The folder may be read-only afterwards (`cannery prepare`).
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { become } from '../steps/become.mjs';
import { bring, InstallError } from '../steps/bring.mjs';
import { keep } from '../steps/keep.mjs';
import { withProgress } from '../steps/progress.mjs';
import { cache, fail, must, root } from '../steps/project.mjs';
import { toolchain } from '../steps/toolchain.mjs';
import { built, programs } from './programs.mjs';

const { version } = JSON.parse(readFileSync(path.join(root, '..', 'package.json'), 'utf8'));
const [first = 'start', ...rest] = process.argv.slice(2);
// Options alone are those of the server.
const [command, args] = first.startsWith('-') ? ['start', [first, ...rest]] : [first, rest];
const commands = ['start', 'prepare', ...Object.keys(programs).filter((name) => name !== 'server')];

/** What says that everything has been fetched, and unpacked where it comes packed. */
const packages = path.join(cache, 'toolchain', 'product');
const modules = path.join(root, 'node_modules');

/** npm leaves files of this name out of packages, which templates have; the package has them without the dot. */
function restoreNames() {
  const examples = path.join(root, 'examples');
  for (const name of readdirSync(examples)) {
    const packed = path.join(examples, name, 'gitignore');
    if (existsSync(packed)) renameSync(packed, path.join(examples, name, '.gitignore'));
  }
}

/** @param {import('../steps/toolchain.mjs').Toolchain} tools */
function bringPackages(tools) {
  const source = path.join(root, 'scripts', 'toolchain', 'product');
  const action = () => bring({ source, target: packages, env: tools.env, npm: [tools.node, tools.npm] });
  if (existsSync(packages)) action();
  else withProgress('Fetching packages', `${packages}.new`, action);
  // Programs find packages above their folder. The link lies where no npm of a project around this package looks.
  if (!existsSync(modules)) symlinkSync(path.relative(root, path.join(packages, 'node_modules')), modules);
}

/** Whether everything is there, so that nothing has to be written. */
const isPrepared = existsSync(modules);

if (command === 'version' || args.includes('--version')) {
  process.stdout.write(`${version}\n`);
  process.exit(0);
}
if (command !== 'version' && !commands.includes(command))
  fail(`Unknown command ${command}. Known: ${commands.join(', ')}. 'cannery --help' lists the settings.`);

if (!isPrepared) {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    fail(
      `Cannery fetches what it runs on into ${root} at its first start, and this user may not write there. Run 'npx cannery prepare' once as the owner of that folder.`,
    );
  }
  process.stdout.write(`Cannery ${version}: the first start fetches about 180 MB of packages from npm.\n`);
  restoreNames();
}

const tools = { ...toolchain(), cwd: process.cwd() };
try {
  bringPackages(tools);
} catch (error) {
  if (error instanceof InstallError) fail(error.message);
  throw error;
}
if (command === 'prepare') {
  withProgress('Unpacking', packages, () => must(tools.node, [built('prepare')], { env: tools.env }));
  process.stdout.write('Cannery is prepared; its folder may be read-only from now on.\n');
} else if (command === 'start') {
  const isQuestion = ['--help', '-h', '--principal'].some((option) => args.includes(option));
  (isQuestion ? become : keep)(tools, [built('server'), ...args]);
} else become(tools, [built(command), ...args]);
