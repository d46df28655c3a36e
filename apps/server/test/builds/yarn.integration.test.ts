import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder } from '../../src/builders/process/remove-folder.ts';
import { findToolchain } from '../../src/builders/sandbox/toolchain.ts';
import { type EgressProxy, startEgressProxy } from '../../src/egress/egress-proxy.ts';
import { runsEveryCase } from '../support/every-case.ts';
import { sandboxesHere } from '../support/sandboxes-here.ts';
import { buildSite, type Outcome } from './build-site.ts';
import { type PackageRegistry, startPackageRegistry, type TestPackage } from './package-registry.ts';

/** Releases of yarn's second line by the folder of node_modules that has them. */
const YARNS = { 'yarn-3.2': '3.2.0', 'yarn-3.8': '3.8.7', 'yarn-4.0': '4.0.2', 'yarn-4': '4.18.1' };

const run = promisify(execFile);
const dataDir = mkdtempSync(join(tmpdir(), 'cannery-yarn-'));
const toolchain = await findToolchain(process.env);
const [sandbox] = await sandboxesHere(toolchain, dataDir);
const egress: EgressProxy = startEgressProxy({ log: { warn: () => undefined } as never });
const packages: Record<string, TestPackage> = {
  one: {
    files: { 'index.js': "module.exports = 'one and ' + require('two');" },
    manifest: { dependencies: { two: '^1.0.0' } },
  },
  two: { files: { 'index.js': "module.exports = 'two';" } },
};
let registry: PackageRegistry;

const programOf = (name: string): string =>
  join(import.meta.dirname, '../../../../node_modules', name, 'bin/yarn.js');

beforeAll(async () => {
  mkdirSync(join(dataDir, 'builds'), { recursive: true });
  registry = await startPackageRegistry(packages);
});
afterAll(async () => {
  await egress.close();
  registry.close();
  await removeFolder(dataDir);
});

const BUILD = `require('fs').writeFileSync('index.html', require('one'))`;
const manifest = (version: string, more: object = {}): string =>
  JSON.stringify({
    name: 'site',
    packageManager: `yarn@${version}`,
    scripts: { build: `node -e "${BUILD}"` },
    dependencies: { one: '^1.0.0' },
    ...more,
  });

/** The lock file that this yarn makes for a project on the computer of somebody. */
async function lockOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(dataDir, 'own-'));
  for (const [path, text] of Object.entries({ ...files, 'yarn.lock': '' })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  await run(process.execPath, [programOf(name), 'install', '--no-immutable'], {
    cwd: folder,
    env: {
      ...process.env,
      HOME: folder,
      YARN_IGNORE_PATH: '1',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_NPM_REGISTRY_SERVER: `http://127.0.0.1:${registry.port}`,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    },
  }).catch((error: { stdout?: string }) => {
    throw new Error(error.stdout, { cause: error });
  });
  return readFileSync(join(folder, 'yarn.lock'), 'utf8');
}

/** Builds a project of somebody who uses this yarn, with the lock file that it has made. */
async function build(name: string, version: string, files: Record<string, string>): Promise<Outcome> {
  if (sandbox === undefined) throw new Error('no sandbox works here');
  const program = { files: { 'bin/yarn.js': readFileSync(programOf(name), 'utf8') } };
  packages['@yarnpkg%2fcli-dist'] = {
    ...program,
    manifest: { name: '@yarnpkg/cli-dist', version, bin: { yarn: 'bin/yarn.js' } },
  };
  const lock = await lockOf(name, files);
  return buildSite(
    { dataDir, toolchain, egress, registryPort: registry.port, secret: 'secret' },
    sandbox,
    { ...files, 'yarn.lock': lock },
    { buildCommand: 'yarn build', commandHasNetwork: false },
    'yarn',
  );
}

function expectBuilt({ lines, published }: Outcome, version: string): void {
  const log = lines.join('\n');
  expect(log).toContain(`yarn ${version} (packageManager in package.json)`);
  expect(log).toContain('$ yarn install --immutable');
  expect(log).not.toContain('does not fit');
  expect(log).not.toContain('npm is used instead');
  expect(published, log).toContain('index.html');
}

const yarns = Object.entries(YARNS).map(([name, version], at) => ({ name, version, at }));
/** Each yarn builds one kind of project, and each kind is built by one; every yarn builds every kind where every case runs. */
const takes = (at: number, kind: number): boolean => runsEveryCase || kind === at % 4;

describe.runIf(sandbox?.ownRoot === true).each(yarns)('$name ($version)', ({ name, version, at }) => {
  test.each(
    [
      ['packages in node_modules, of any compression', 'nodeLinker: node-modules\ncompressionLevel: mixed\n'],
      ['Plug and Play, compressed at most', 'compressionLevel: 9\n'],
      ['the usual settings', ''],
    ].filter((_project, kind) => takes(at, kind)),
  )('a project with %s', async (_what, settings = '') => {
    expectBuilt(
      await build(name, version, { 'package.json': manifest(version), '.yarnrc.yml': settings }),
      version,
    );
  });

  test.runIf(takes(at, 3))('workspaces, with a plugin and a release of yarn in the repository', async () => {
    const files = {
      'package.json': manifest(version, {
        workspaces: ['parts/*'],
        dependencies: { one: '^1.0.0', own: 'workspace:*' },
      }),
      'parts/own/package.json': JSON.stringify({
        name: 'own',
        version: '1.0.0',
        dependencies: { two: '^1.0.0' },
      }),
      '.yarn/plugins/mark.cjs':
        "module.exports = { name: 'plugin-mark', factory: () => ({ hooks: { afterAllInstalled() { require('fs').writeFileSync('plugin-ran', ''); } } }) };",
      '.yarn/releases/yarn.cjs': "throw new Error('the release of the repository ran');",
      '.yarnrc.yml':
        'yarnPath: .yarn/releases/yarn.cjs\nplugins:\n  - .yarn/plugins/mark.cjs\nnodeLinker: node-modules\ncompressionLevel: 0\n',
    };
    const outcome = await build(name, version, files);
    expectBuilt(outcome, version);
    // Code of the project does not run where packages are fetched, and nothing of ours stays in the checkout.
    expect(outcome.published).not.toContain('plugin-ran');
    expect(outcome.published.filter((path) => path.startsWith('.yarnrc-'))).toEqual([]);
  });
});

test.runIf(sandbox?.ownRoot === true)(
  'a lock file that does not fit is named, and package.json decides',
  async () => {
    if (sandbox === undefined) throw new Error('no sandbox works here');
    const [name, version] = ['yarn-4', YARNS['yarn-4']];
    const { lines, published } = await build(name, version, {
      'package.json': manifest(version, { dependencies: { one: '^1.0.0', two: '^1.0.0' } }),
      'package-lock.json': '{}',
      '.yarnrc.yml': '',
    });
    const log = lines.join('\n');
    expect(log).toContain('package-lock.json does not count: yarn installs the packages by yarn.lock.');
    expect(published, log).toContain('index.html');
  },
);
