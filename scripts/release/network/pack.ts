// `npm run pack:network`: makes dist/cannery-network-<version>.tgz, or in the folder that is named: the embedded network alone, as one
// npm package without dependencies. `npx ./cannery-network-<version>.tgz --data-dir .network` runs it in an empty folder.
import { execFileSync } from 'node:child_process';
import { cp, glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { instrumentationVersion } from '../../../packages/wasm/src/rewrite/instrumentation-version.ts';
import { cache, root } from '../../steps/project.mjs';
import { networkPackages } from '../bill-of-materials.ts';
import { INSIDE_NETWORK, noticesOf } from '../notices.ts';
import { npmPack } from '../npm-pack.ts';
import { exampleCanister } from './example-canister.ts';

const here = import.meta.dirname;
const staged = path.join(cache, 'network-package');
/** As deep below `.cache` as `dist/programs` is in the package: the programs find files by their way to the root. */
const bundled = path.join(cache, 'network-programs');

async function stagePrograms(): Promise<void> {
  await rm(bundled, { recursive: true, force: true });
  const bundle = ['scripts/bundle-programs.ts', bundled, '--only', 'network=packages/network/src/cli.ts'];
  execFileSync(process.execPath, bundle, { cwd: root, stdio: 'inherit' });
  await mkdir(path.join(staged, 'dist'), { recursive: true });
  await rename(bundled, path.join(staged, 'dist/programs'));
}

/** What programs read by its place. */
async function stageFiles(): Promise<void> {
  for await (const file of glob('canisters/system/**/*.wasm{,.gz}', { cwd: root })) {
    await cp(path.join(root, file), path.join(staged, file));
  }
  // The network names what it makes of modules by a hash over the files here: that of the sources takes their place.
  const wasm = path.join(staged, 'packages/wasm/src');
  await mkdir(wasm, { recursive: true });
  await writeFile(path.join(wasm, 'version.ts'), `// ${instrumentationVersion()}\n`);
}

async function stageExample(): Promise<void> {
  await cp(path.join(root, 'docs/networks/npm-example'), path.join(staged, 'example'), { recursive: true });
  await writeFile(path.join(staged, 'example/counter.wasm'), exampleCanister());
}

async function stagePapers(version: string): Promise<void> {
  const manifest = {
    name: 'cannery-network',
    version,
    description: 'A local Internet Computer network with system canisters, a sign-in and PocketIC',
    license: 'Apache-2.0',
    type: 'module',
    bin: { 'cannery-network': 'cannery-network.mjs' },
    exports: './cannery-network.mjs',
    engines: { node: '>=24' },
  };
  await writeFile(path.join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await cp(path.join(root, 'LICENSE'), path.join(staged, 'LICENSE'));
  await cp(path.join(root, 'docs/networks/npm-package.md'), path.join(staged, 'README.md'));
  await cp(path.join(here, 'cannery-network.mjs'), path.join(staged, 'cannery-network.mjs'));
  const notices = noticesOf(networkPackages(), INSIDE_NETWORK);
  await writeFile(path.join(staged, 'THIRD-PARTY-NOTICES.txt'), notices);
}

const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
  version: string;
};
await rm(staged, { recursive: true, force: true });
await stagePrograms();
await stageFiles();
await stageExample();
await stagePapers(version);
console.log(await npmPack(staged, path.resolve(process.argv[2] ?? path.join(root, 'dist'))));
