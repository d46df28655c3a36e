import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_TOOLS } from '../../src/builders/packages/npm/choose-tool.ts';
import { findInstallRoot } from '../../src/builders/packages/npm/find-root.ts';
import { keptPackages } from '../../src/builders/packages/npm/kept-packages.ts';
import { prepareTools } from '../../src/builders/packages/npm/prepare-tools.ts';
import { testWorkspace } from '../../src/builders/disks/workspace.testing.ts';
import { removeFolder } from '../../src/builders/process/remove-folder.ts';
import { findToolchain } from '../../src/builders/sandbox/toolchain.ts';
import { npmEnvironment, readOperatorNpm } from '../../src/builders/step/operator-npm.ts';
import type { BuildRun } from '../../src/builders/step/step-runner.ts';
import { type EgressProxy, startEgressProxy } from '../../src/egress/egress-proxy.ts';
import { sandboxesHere } from '../support/sandboxes-here.ts';
import { buildSite } from './build-site.ts';
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts';

const VERSION = '9.9.7';
/** A tool that says what it finds in its home: pnpm 11 runs a program that a file there names. */
const TOOL = `#!/usr/bin/env node
const { mkdirSync, readdirSync } = require('node:fs');
if (process.argv[2] === 'install') {
  console.log('home of the tool: ' + readdirSync(process.env.HOME).join(', '));
  mkdirSync('node_modules');
}
`;

const dataDir = mkdtempSync(join(tmpdir(), 'cannery-apart-'));
const toolchain = await findToolchain(process.env);
const sandboxes = await sandboxesHere(toolchain, dataDir);
const egress: EgressProxy = startEgressProxy({ log: { warn: () => undefined } as never });
let registry: PackageRegistry;

beforeAll(async () => {
  mkdirSync(join(dataDir, 'builds'), { recursive: true });
  registry = await startPackageRegistry({
    pnpm: { files: { 'tool.cjs': TOOL }, manifest: { version: VERSION, bin: { pnpm: 'tool.cjs' } } },
  });
});
afterAll(async () => {
  await egress.close();
  registry.close();
  await removeFolder(dataDir);
});

const installedByTool = { packageManager: `pnpm@${VERSION}`, dependencies: { named: '1.0.0' } };

describe.each(sandboxes.map((sandbox) => [sandbox.name, sandbox] as const))('with %s', (_name, sandbox) => {
  /** What a build of a deploy works with; the folders of the user hold what earlier builds have left. */
  const opened = async (deployId: string, files: Record<string, string>) => {
    const folders = await testWorkspace(dataDir, sandbox, { owner: `${sandbox.name}-bob` });
    for (const [path, text] of Object.entries(files)) folders.put(path, text);
    const later: (() => Promise<void>)[] = [];
    const run: BuildRun = {
      sandbox,
      folders,
      deadline: performance.now() + 150_000,
      signal: new AbortController().signal,
      say: () => undefined,
      onLine: () => undefined,
      afterwards: (work) => void later.push(work),
    };
    const programs = join(dataDir, 'ready-programs');
    mkdirSync(join(programs, `pnpm@${VERSION}`), { recursive: true });
    const operator = { ...(await readOperatorNpm(toolchain, {})), registry: 'http://registry.test/' };
    const access = {
      npm: await npmEnvironment(sandbox, folders, operator),
      operator,
      programs: { folder: programs, openWorkspace: () => Promise.reject(new Error('It is there.')) },
      way: () => Promise.reject(new Error('Nothing is fetched.')),
      deployId,
    };
    const root = await findInstallRoot(folders.source, '', NO_TOOLS, run.signal);
    if (root === null) throw new Error('There is no package.json.');
    const tools = await prepareTools(run, access, root);
    return {
      tools,
      kept: await keptPackages(run, { root, legacyPeers: false, tools, deployId }),
      async end() {
        for (const work of later) await work();
        await folders.remove();
      },
    };
  };
  const project = {
    'package.json': JSON.stringify(installedByTool),
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
  };

  test('what install scripts have made of packages stays with its deploy: a fork has the same lock file', async () => {
    const fork = await opened('fork', { ...project, 'node_modules/named/index.js': 'spoiled' });
    await fork.kept?.save();
    await fork.end();
    const own = await opened('own', project);
    expect(await own.kept?.restore()).toBe(false);
    await own.end();
    const again = await opened('fork', project);
    expect(await again.kept?.restore()).toBe(true);
    await again.end();
  });

  test('what a tool has in its cache is for builds of the same deploy only', async () => {
    const storeOf = async (deployId: string): Promise<string | undefined> => {
      const { tools, end } = await opened(deployId, project);
      await end();
      return tools.steps?.install(true).find((one) => one.startsWith('--store-dir='));
    };
    const own = await storeOf('own');
    expect(own).toMatch(/^--store-dir=.*own/);
    expect(await storeOf('own')).toBe(own);
    expect(await storeOf('fork')).not.toBe(own);
  });

  test('a program that installs packages finds nothing in its home that code of the project has left there', async () => {
    const builder = { dataDir, toolchain, egress, registryPort: registry.port, secret: 'none' };
    const files = {
      'a/package.json': JSON.stringify({ scripts: { prepare: 'echo > $HOME/.left-by-a' } }),
      'b/package.json': JSON.stringify(installedByTool),
    };
    const buildCommand = 'cd a && npm install && cd ../b && pnpm install && ls -A $HOME';
    const { lines } = await buildSite(builder, sandbox, files, { buildCommand, commandHasNetwork: false });
    expect(lines, lines.join('\n')).toContain('home of the tool: ');
    expect(lines).toContain('.left-by-a');
  });
});
