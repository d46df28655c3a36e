// `npm run pack`: makes dist/cannery-<version>.tgz, or in the folder that is named, the whole product as one npm package.
// `npx ./cannery-<version>.tgz` runs it in an empty folder: what has to be built is built here, and what runs is JavaScript, since Node strips no types below node_modules.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cache, root } from '../steps/project.mjs';
import { npmPack } from './npm-pack.ts';
import { type LockedPackages, partOfLock } from './part-of-lock.ts';
import { writePapers } from './papers.ts';
import { BUILT, programs } from './programs.mjs';
import { platformPackages, runtimePackages } from './runtime-packages.ts';

const folder = path.join(cache, 'pack');
const staged = path.join(folder, 'package');
const product = path.join(staged, 'product');

const node = (args: readonly string[]): unknown =>
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

const isTest = (file: string): boolean => /\.(?:test|testing)\.|(?:^|\/)test(?:\/|$)/.test(file);

/** Copies files of the checkout to their places in the package. */
async function stage(from: string, wanted: (file: string) => boolean = () => true): Promise<void> {
  const source = path.join(root, from);
  await cp(source, path.join(product, from), {
    recursive: true,
    dereference: true,
    preserveTimestamps: true,
    filter: async (file) => (await stat(file)).isDirectory() || wanted(path.relative(root, file)),
  });
}

/** npm leaves out files of this name; the first start gives it back (cannery.mjs). */
async function hideDotFiles(): Promise<void> {
  const examples = path.join(product, 'examples');
  for (const name of await readdir(examples, { recursive: true }))
    if (path.basename(name) === '.gitignore')
      await rename(path.join(examples, name), path.join(examples, path.dirname(name), 'gitignore'));
}

async function stageProduct(packages: LockedPackages): Promise<void> {
  // What lies beside the modules that are bundled, and is read or run by its path.
  await stage('apps/server/src', (file) => !file.endsWith('.ts'));
  await stage('packages/ic/src/ic.did');
  // Steps of builds run it as it is, inside their sandbox; the network names its version by these files.
  await stage('packages/wasm/src', (file) => !isTest(file));
  await stage('canisters/assets', (file) => !isTest(file) && !file.includes('node_modules'));
  // The modules that the network installs.
  await stage('canisters/system', (file) => /\.wasm(?:\.gz)?$/.test(file));
  await stage('apps/console/dist');
  await stage('examples');
  await hideDotFiles();
  await stage('.cache/sample-wasm');
  for (const name of ['node', 'node-lts', 'npm']) await stage(`scripts/toolchain/${name}`);
  await stage('scripts/steps', (file) => file.endsWith('.mjs'));
  await stage('scripts/release', (file) => file.endsWith('.mjs') && !file.includes('/network/'));
  const entries = Object.entries(programs).filter(([name]) => name !== 'server');
  const bundled = path.join(folder, 'programs');
  await rm(bundled, { recursive: true, force: true });
  node(['scripts/bundle-programs.ts', bundled, ...entries.map((entry) => entry.join('='))]);
  await mkdir(path.join(product, path.dirname(BUILT)), { recursive: true });
  await rename(bundled, path.join(product, BUILT));
  const part = partOfLock(packages, {
    name: 'cannery-product',
    required: runtimePackages,
    optional: platformPackages,
  });
  const toolchain = path.join(product, 'scripts/toolchain/product');
  await mkdir(toolchain, { recursive: true });
  await writeFile(path.join(toolchain, 'package.json'), JSON.stringify(part.manifest, null, 2));
  await writeFile(path.join(toolchain, 'package-lock.json'), JSON.stringify(part.lock, null, 2));
}

async function stageManifest(version: string): Promise<void> {
  const manifest = {
    name: 'cannery',
    version,
    description: 'Build, ship and run canisters on the Internet Computer from one web console',
    license: 'Apache-2.0',
    type: 'module',
    bin: { cannery: 'product/scripts/release/cannery.mjs' },
    os: ['linux', 'darwin'],
    engines: { node: '>=18' },
    files: ['product', 'deploy', '*.md', '*.txt', '*.json'],
  };
  await writeFile(path.join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ['LICENSE', 'CHANGELOG.md']) await cp(path.join(root, name), path.join(staged, name));
  await cp(path.join(root, 'docs/operations/install.md'), path.join(staged, 'README.md'));
  await cp(path.join(root, 'deploy'), path.join(staged, 'deploy'), { recursive: true });
}

const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
};
const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as {
  packages: LockedPackages;
};
await rm(staged, { recursive: true, force: true });
await mkdir(product, { recursive: true });
console.log('Compiling the samples ...');
node(['apps/server/test/support/compile-samples.ts']);
console.log('Collecting the package ...');
await stageProduct(packages);
await stageManifest(version);
console.log(await writePapers(staged));
const output = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
console.log('Packing ...');
console.log(await npmPack(staged, output));
