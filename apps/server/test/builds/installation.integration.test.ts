import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BuildInput } from '../../src/builders/builder.ts';
import { removeFolder } from '../../src/builders/process/remove-folder.ts';
import type { Sandbox } from '../../src/builders/sandbox/sandbox.ts';
import { findToolchain } from '../../src/builders/sandbox/toolchain.ts';
import { type EgressProxy, startEgressProxy, type WayOut } from '../../src/egress/egress-proxy.ts';
import { buildSite, type Outcome } from './build-site.ts';
import { hostileLock, hostilePackages, hostileProject } from './hostile-project.ts';
import { locked, reach, unlocated } from './installed-projects.ts';
import { sandboxesHere } from '../support/sandboxes-here.ts';
import { TOOL_VERSION, toolPackages, YARN_VERSION } from './package-tool.ts';
import { type PackageRegistry, startPackageRegistry, type TestPackage } from './package-registry.ts';
import { testWorkspace } from '../../src/builders/disks/workspace.testing.ts';

const SECRET = 'the secret of the operator';
const dataDir = mkdtempSync(join(tmpdir(), 'cannery-install-'));
const toolchain = await findToolchain(process.env);
const sandboxes = await sandboxesHere(toolchain, dataDir);
const egress: EgressProxy = startEgressProxy({ log: { warn: () => undefined } as never });

/** Who connected to what nothing may connect to. */
const visits: string[] = [];
const canaries: Server[] = [];
const abstract = `cannery-${crypto.randomUUID()}`;
let canary: string;
let port: number;
let registry: PackageRegistry;
let packages: Record<string, TestPackage>;
let other: { socket: WayOut; loopback: WayOut };

/** On every address of the machine, of both families, when `at` is a port. */
async function listen(name: string, at: string | number): Promise<Server> {
  const server = createServer((socket) => {
    visits.push(name);
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\n\r\ncanary');
  });
  canaries.push(server);
  server.listen(at);
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  mkdirSync(join(dataDir, 'builds'), { recursive: true });
  writeFileSync(join(dataDir, 'secret'), SECRET);
  port = ((await listen('port', 0)).address() as AddressInfo).port;
  await listen('socket file', join(dataDir, 'canary'));
  await listen('abstract socket', `\0${abstract}`);
  canary = `http://127.0.0.1:${port}`;
  packages = { ...hostilePackages(canary), ...toolPackages };
  registry = await startPackageRegistry(packages);
  const hosts = [{ name: '127.0.0.1', port, plain: false, mayBePrivate: true, what: 'host' }] as const;
  other = {
    socket: await egress.open({ hosts, at: 'socket' }),
    loopback: await egress.open({ hosts, at: 'loopback' }),
  };
});
afterAll(async () => {
  await egress.close();
  registry.close();
  for (const server of canaries) server.close();
  await removeFolder(dataDir);
});

function targets(neighbour: string): unknown {
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return {
    port,
    registryPort: registry.port,
    otherPort: Number(new URL(other.loopback.address).port),
    otherWay: other.socket.address,
    socket: join(dataDir, 'canary'),
    abstract,
    own: own
      .filter(({ internal, address }) => !internal && !address.startsWith('fe80'))
      .map(({ address }) => address),
    secretFile: join(dataDir, 'secret'),
    neighbour,
    // Read from parts, so that the script does not find itself.
    secrets: [SECRET],
  };
}

const build = (
  sandbox: Sandbox,
  files: Record<string, string>,
  options: Pick<BuildInput, 'buildCommand' | 'commandHasNetwork'>,
  user?: string,
): Promise<Outcome> =>
  buildSite(
    { dataDir, toolchain, egress, registryPort: registry.port, secret: SECRET },
    sandbox,
    files,
    options,
    user,
  );

describe.each(sandboxes.map((sandbox) => [sandbox.name, sandbox] as const))('with %s', (_name, sandbox) => {
  const isFirst = sandbox === sandboxes[0];
  /** Which tool installs what is the same in each sandbox; what it reaches and leaves there is not. */
  const testOnce = test.runIf(isFirst);

  testOnce('next-export changes the settings of Next.js in the checkout of a build', async () => {
    const files = {
      'next.config.js': "module.exports = { output: 'standalone' };",
      'build.mjs':
        "import settings from './next.config.js';\nimport { writeFileSync } from 'node:fs';\nwriteFileSync(`${settings.output}.html`, '');",
    };
    const buildCommand = 'next-export && node build.mjs';
    const { lines, published } = await build(sandbox, files, { buildCommand, commandHasNetwork: false });
    expect(lines.join('\n')).toContain('next-export: next.config.js asks for a static site');
    expect(published).toContain('export.html');
  });

  test.runIf(isFirst && process.platform === 'linux' && process.arch === 'x64')(
    'ic-wasm is fetched when a script calls it, and only then',
    async () => {
      const calling = { 'build.sh': '#!/bin/sh\nset -e\nic-wasm shop.wasm shrink\necho made > index.html\n' };
      const { lines, published } = await build(
        sandbox,
        calling,
        { buildCommand: './build.sh', commandHasNetwork: false },
        'dora',
      );
      const log = lines.join('\n');
      expect(log).toContain('Fetching @icp-sdk/ic-wasm-linux-x64 0.11.1');
      expect(log).toContain('The build calls ic-wasm; trying again with it.');
      expect(log).toContain('ic-wasm was called: shop.wasm shrink');
      expect(published, log).toContain('index.html');
      const other = await build(
        sandbox,
        { 'build.sh': '#!/bin/sh\nexit 127\n' },
        { buildCommand: './build.sh', commandHasNetwork: false },
        'dora',
      );
      expect(other.lines.join('\n')).not.toContain('ic-wasm');
    },
  );

  test('a project that tries everything while it is installed reaches its registry and nothing else', async () => {
    const neighbour = await testWorkspace(dataDir, sandbox, { owner: 'neighbour' });
    await neighbour.source.write('file', SECRET);
    process.env.OPERATOR_SECRET = SECRET;
    visits.length = 0;
    const project = hostileProject(
      canary,
      `http://127.0.0.1:${registry.port}/`,
      targets(join(neighbour.disk.source, 'file')),
    );
    const { lines, folders, published, installed } = await build(
      sandbox,
      { ...project, 'reach.cjs': reach(`http://127.0.0.1:${registry.port}/honest`, canary) },
      { buildCommand: 'yarn install && node reach.cjs', commandHasNetwork: false },
    );
    delete process.env.OPERATOR_SECRET;
    const log = lines.join('\n');
    expect(visits, log).toEqual([]);
    // What is honest works: the operator's registry, packages, install scripts.
    expect(installed, log).toEqual(expect.arrayContaining(['binaries', 'honest', 'inner', 'scripted']));
    const text = readFileSync(join(folders.disk.source, 'results.json'), 'utf8');
    const results = JSON.parse(text) as Record<string, string>;
    expect(Object.keys(results).length).toBeGreaterThanOrEqual(80);
    const failed = (result: string): boolean =>
      /^(?:E[A-Z_]+|HTTP\/1\.1 4\d\d|closed|nothing|silent)$/.test(result);
    expect(Object.entries(results).filter(([, result]) => !failed(result))).toEqual([]);
    expect(log).toContain(`127.0.0.1:${port} was refused`);
    expect(lines).toEqual(expect.arrayContaining(['registry: away', 'canary: away']));
    expect(registry.authorizations.filter((value) => value.includes(SECRET))).toEqual([]);
    // No program that a configuration names was run, and nothing was written where one says.
    const traces = readdirSync(folders.disk.source).filter((name) => /^(?:ran-|evil-(?!npmrc))/.test(name));
    expect(traces).toEqual([]);
    // A dependency on a folder becomes a link, which leads to the sandbox's own files and is never published.
    const wanted = Object.keys(JSON.parse(project['package.json'] ?? '').optionalDependencies);
    expect(installed.filter((name) => wanted.includes(name) && !name.startsWith('file-'))).toEqual([]);
    expect(published).toContain('index.html');
    expect(published.filter((path) => /(?:^|\/)file-/.test(path))).toEqual([]);
    expect(readdirSync(join(folders.root, 'commands')).sort()).toEqual(['node', 'npm', 'npx']);
  });

  test('a lock file that says where packages lie is not followed; build commands get the same way out if allowed', async () => {
    visits.length = 0;
    const { lines, installed } = await build(
      sandbox,
      { ...hostileLock(canary), 'reach.cjs': reach(`http://127.0.0.1:${registry.port}/honest`, canary) },
      { buildCommand: 'node reach.cjs', commandHasNetwork: true },
    );
    expect(lines).toContain('$ npm ci');
    expect(lines).toEqual(expect.arrayContaining(['registry: 200', 'canary: 403']));
    expect(visits).toEqual([]);
    expect(installed).toContain('honest');
  });

  test('a workspace is installed at its root by the tool of packageManager, which every step then has', async () => {
    const { lines, folders } = await build(
      sandbox,
      {
        'package.json': JSON.stringify({ private: true, packageManager: `pnpm@${TOOL_VERSION}` }),
        'pnpm-workspace.yaml': 'packages: [apps/*]\n',
        'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
        'apps/web/package.json': '{"scripts":{"prepare":"x"}}',
        'apps/web/index.html': 'a page',
        unfit: '',
      },
      { buildCommand: 'cd apps/web && pnpm install && pnpm --filter web build', commandHasNetwork: false },
    );
    const log = lines.join('\n');
    const calls = lines
      .filter((line) => line.startsWith('TOOL '))
      .map((line) => JSON.parse(line.slice('TOOL '.length)) as Record<string, unknown>);
    const called = (...args: string[]): Record<string, unknown> | undefined =>
      calls.find((call) => args.every((arg) => (call.args as string[]).includes(arg)));
    const source = '/build/source';
    const registryUrl = `http://127.0.0.1:${registry.port}/`;
    const safe = ['--ignore-scripts', '--ignore-pnpmfile', `--registry=${registryUrl}`];
    expect(called('install', '--frozen-lockfile', ...safe), log).toMatchObject({ cwd: source, cache: true });
    expect(called('install', '--no-frozen-lockfile', ...safe), log).toMatchObject({ cwd: source });
    expect(lines).toContain(
      'pnpm-lock.yaml does not fit package.json or the settings; installing from package.json.',
    );
    // Where code of the project runs, neither the cache nor the tool can be written.
    const built = { cwd: `${source}/apps/web`, cache: false, itself: false, ci: 'true' };
    expect(called('--filter', 'web', 'build'), log).toMatchObject(built);
    expect(called('rebuild'), log).toMatchObject({ cache: false, itself: false, ci: 'true' });
    expect(readdirSync(folders.disk.source)).not.toContain('ran-tool');
    expect(lines).toContain(`pnpm ${TOOL_VERSION} (packageManager in package.json)`);
  });

  testOnce('where the first yarn gives up, npm installs, and the build still has yarn', async () => {
    const { lines, folders, installed } = await build(
      sandbox,
      {
        'package.json': JSON.stringify({
          packageManager: `yarn@${YARN_VERSION}`,
          dependencies: { honest: '1.0.0' },
        }),
        'yarn.lock': `# yarn lockfile v1\n\nhonest@1.0.0:\n  version "1.0.0"\n  resolved "https://registry.of-another-land.example/honest/-/honest-1.0.0.tgz"\n`,
        broken: '',
      },
      { buildCommand: 'yarn build', commandHasNetwork: false },
    );
    const log = lines.join('\n');
    expect(lines, log).toContain(
      'yarn failed; trying again with npm, which takes the versions from yarn.lock.',
    );
    expect(lines).toContain('$ npm install');
    expect(installed).toContain('honest');
    expect(installed).not.toContain('half');
    // Addresses in the lock file follow the operator's registry.
    const lock = readFileSync(join(folders.disk.source, 'yarn.lock'), 'utf8');
    expect(lock).toContain(`"http://127.0.0.1:${registry.port}/honest/-/honest-1.0.0.tgz`);
    expect(
      lines.some((line) => line.startsWith('TOOL ') && line.includes('["build"]')),
      log,
    ).toBe(true);
  });

  testOnce('where a tool or a Node cannot be fetched, the log says so and npm installs', async () => {
    const { lines, published } = await build(
      sandbox,
      {
        'package.json': JSON.stringify({
          packageManager: 'pnpm@8.8.8',
          engines: { node: '20' },
          dependencies: { honest: '1.0.0' },
        }),
        'pnpm-lock.yaml': "lockfileVersion: '6.0'\n",
        'index.html': 'a page',
      },
      { buildCommand: 'pnpm --filter web build', commandHasNetwork: false },
    );
    expect(lines).toEqual(
      expect.arrayContaining([
        'pnpm 8.8.8 cannot be fetched from the registry; npm is used instead.',
        expect.stringMatching(
          /^package\.json asks for Node 20, which is not available here; Node [\d.]+ is used\.$/,
        ),
        '$ npm install',
        expect.stringContaining('pnpm --filter: pnpm is not installed here'),
      ]),
    );
    // A stand-in that did nothing would look like a build that worked.
    expect(lines.at(-1)).toMatch(/^Failed: The build command failed/);
    expect(published).toEqual([]);
  });

  testOnce(
    'a version that the registry has got since the last build is found, though the cache does not know it',
    async () => {
      const built = async (version: string): Promise<Outcome> => {
        packages.aging = { files: {}, manifest: { version } };
        return build(
          sandbox,
          unlocated('aging', version),
          { buildCommand: 'npm ci', commandHasNetwork: false },
          'aging',
        );
      };
      const older = 'The cache is older than the lock file; asking the registry.';
      expect((await built('1.0.0')).lines).not.toContain(older);
      const { lines, installed } = await built('1.1.0');
      expect(lines, lines.join('\n')).toContain(older);
      expect(installed).toContain('aging');
    },
  );

  const kept = 'The packages are those of an earlier build with the same package-lock.json.';

  test('installed packages are kept for the same lock file, deploy and user, without what builds put beside them', async () => {
    const command = 'ls -A node_modules; mkdir node_modules/.cache; echo > index.html';
    const built = async (name: string, user: string): Promise<string[]> =>
      (
        await build(
          sandbox,
          locked(registry.port, name),
          { buildCommand: command, commandHasNetwork: false },
          user,
        )
      ).lines;
    const first = await built('kept', 'eve');
    expect(first).toContain('$ npm ci');
    expect(first).not.toContain(kept);
    for (const again of [await built('kept', 'eve'), await built('kept', 'eve')]) {
      expect(again, again.join('\n')).toContain(kept);
      expect(again).not.toContain('$ npm ci');
      expect(again).toContain('honest');
      expect(again).not.toContain('.cache');
      expect(again, 'own scripts run each time').toContain('own');
      expect(again.at(-1)).not.toMatch(/^Failed/);
    }
    expect(await built('changed', 'eve')).toContain('$ npm ci');
    expect(await built('kept', 'mallory')).toContain('$ npm ci');
  });

  test('packages that a build has changed, or that it fails with, are not given to the next one', async () => {
    const spoil =
      'test ! -e node_modules/honest/spoiled && for f in node_modules/honest /opt/cannery /var/cache; do touch $f/spoiled; done; echo > index.html';
    const built = async (buildCommand: string): Promise<string[]> =>
      (
        await build(
          sandbox,
          locked(registry.port, 'spoiled'),
          { buildCommand, commandHasNetwork: false },
          'eve',
        )
      ).lines;
    expect(await built(spoil)).toContain('$ npm ci');
    // From now on they are copied before the build, so that only one installation is lost.
    expect(await built(spoil)).toContain('$ npm ci');
    for (const again of [await built(spoil), await built(`${spoil}; exit 3`), await built(spoil)]) {
      expect(again, again.join('\n')).toContain(kept);
      expect(again).not.toContain('$ npm ci');
    }
  });

  test('a link that a build puts above its packages leads no kept package out of the checkout', async () => {
    const victim = join(dataDir, `victim-${sandbox.name}`);
    const held = join(victim, 'node_modules', 'honest');
    mkdirSync(held, { recursive: true });
    writeFileSync(join(held, 'secret'), SECRET);
    writeFileSync(join(victim, 'node_modules', '.package-lock.json'), '{}');
    const project = { ...locked(registry.port, 'linked', 'web'), 'index.html': '' };
    const link = `cd web && npm ci && cd .. && rm -rf web && ln -s ${victim} web && echo linked`;
    const { lines } = await build(sandbox, project, { buildCommand: link, commandHasNetwork: false }, 'eve');
    expect(lines).toContain('linked');
    expect(readFileSync(join(held, 'secret'), 'utf8')).toBe(SECRET);
    const read =
      'cd web && npm ci && cd .. && cat web/node_modules/honest/secret; ls web/node_modules/honest';
    const next = await build(sandbox, project, { buildCommand: read, commandHasNetwork: false }, 'eve');
    expect(next.lines.join('\n')).not.toContain(SECRET);
  });
});
