import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeFolder } from '../../src/builders/process/remove-folder.ts';
import type { Sandbox } from '../../src/builders/sandbox/sandbox.ts';
import { findToolchain } from '../../src/builders/sandbox/toolchain.ts';
import { startEgressProxy } from '../../src/egress/egress-proxy.ts';
import { buildSite, type Outcome } from './build-site.ts';
import { type HostCanary, hostCanary } from './host-canary.ts';
import { TOOL_VERSION, toolPackages, YARN_VERSION } from './package-tool.ts';
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts';
import { namedSandboxes } from '../support/sandboxes-here.ts';

const SECRET = 'the secret of the operator';
const dataDir = mkdtempSync(join(tmpdir(), 'cannery-host-'));
const toolchain = await findToolchain(process.env);
const sandboxes = await namedSandboxes(toolchain, dataDir);
const egress = startEgressProxy({ log: { warn: () => undefined } as never });
let registry: PackageRegistry;

/** A pnpm that does what a project's .npmrc says of where it writes, unless it is told otherwise (pnpm.io/npmrc). */
const OBEDIENT = `#!/usr/bin/env node
const { mkdirSync, readFileSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');
const told = process.argv.find((one) => one.startsWith('--config.modules-dir='))?.split('=')[1];
const written = /^modules-dir=(.*)$/m.exec(readFileSync('.npmrc', 'utf8'))?.[1];
const folder = told ?? written ?? 'node_modules';
mkdirSync(folder, { recursive: true });
for (const [name, from] of Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).dependencies))
  if (from.startsWith('link:')) symlinkSync(from.slice(5), join(folder, name));
`;

beforeAll(async () => {
  writeFileSync(join(dataDir, 'secret'), SECRET);
  registry = await startPackageRegistry({
    ...toolPackages,
    honest: { files: {} },
    pnpm: { files: { 'tool.cjs': OBEDIENT }, manifest: { version: TOOL_VERSION, bin: { pnpm: 'tool.cjs' } } },
  });
});
afterAll(async () => {
  await egress.close();
  registry.close();
  await removeFolder(dataDir);
});

const build = (
  sandbox: Sandbox,
  files: Record<string, string>,
  buildCommand: string,
  user: string,
): Promise<Outcome> =>
  buildSite(
    { dataDir, toolchain, egress, registryPort: registry.port, secret: SECRET },
    sandbox,
    files,
    { buildCommand, commandHasNetwork: false },
    user,
  );

const wanting = (packageManager: string): string =>
  JSON.stringify({ packageManager, dependencies: { honest: '1.0.0' } });

/** A project that shows what is mounted as the first of its programs. */
function looking(sandbox: Sandbox, packageManager: string, user: string): Promise<Outcome> {
  const files = { 'package.json': wanting(packageManager), 'index.html': '', '.npmrc': '' };
  const look = 'npm install && cat /opt/cannery/programs/0/secret; ls /opt/cannery/programs/0; true';
  return build(sandbox, files, look, user);
}

describe.each(sandboxes)('with %s', (name, sandbox) => {
  let canary: HostCanary;
  const nothingTold = ({ lines }: Outcome): void => {
    const log = lines.join('\n');
    expect(log).not.toContain(canary.secret);
    expect(log).not.toContain(SECRET);
    expect(canary.changes(), log).toEqual([]);
  };
  beforeAll(() => {
    canary = hostCanary(mkdtempSync(join(dataDir, 'host-')));
  });

  test("[R7] a program of the project that comes before the system's makes no folder of the host a program of the next build", async () => {
    const user = `path-${name.replaceAll(' ', '-')}`;
    const plant = `mkdir -p /var/cache/npm/programs; ln -s ${dataDir} /var/cache/npm/programs/pnpm@${TOOL_VERSION}`;
    const first = await build(
      sandbox,
      {
        'node_modules/.bin/env': `#!/bin/sh\necho planted\n${plant}\nexec /usr/bin/env "$@"\n`,
        'web/package.json': wanting(`yarn@${YARN_VERSION}`),
        'web/yarn.lock': '',
        'web/index.html': '',
      },
      'cd web && yarn install',
      user,
    );
    expect(first.lines.join('\n')).not.toContain('planted');
    nothingTold(await looking(sandbox, `pnpm@${TOOL_VERSION}`, user));
  });

  test("[R7] what a package tool writes to where the project's settings say is no program of the next build", async () => {
    const user = `modules-${name.replaceAll(' ', '-')}`;
    const dependencies = { [`yarn@${YARN_VERSION}`]: `link:${dataDir}` };
    const files = {
      'package.json': JSON.stringify({ packageManager: `pnpm@${TOOL_VERSION}`, dependencies }),
      '.npmrc': 'modules-dir=/var/cache/npm/programs\n',
      'index.html': '',
    };
    await build(sandbox, files, 'pnpm install', user);
    nothingTold(await looking(sandbox, `yarn@${YARN_VERSION}`, user));
  });

  test('[R7] a folder that a step has made a link is not read, and no lock file of the host is rewritten', async () => {
    const prepare = `rm -rf ../b && ln -s ${canary.folder} ../b && echo swapped`;
    const files = {
      'a/package.json': JSON.stringify({ dependencies: { honest: '1.0.0' }, scripts: { prepare } }),
      'b/package.json': '{}',
      'index.html': '',
    };
    // Without packages of its own the folder is one in which they are installed.
    const bare = { ...canary, folder: mkdtempSync(join(dataDir, 'bare-')) };
    for (const file of ['package.json', '.nvmrc', 'yarn.lock'])
      writeFileSync(join(bare.folder, file), readFileSync(join(canary.folder, file)));
    const swapped = {
      ...files,
      'a/package.json': files['a/package.json'].replaceAll(canary.folder, bare.folder),
    };
    const outcome = await build(
      sandbox,
      swapped,
      'cd a && npm install && cd ../b && npm install',
      `swap-${name.replaceAll(' ', '-')}`,
    );
    expect(outcome.lines.join('\n')).toContain('swapped');
    nothingTold(outcome);
    expect(readFileSync(join(bare.folder, 'yarn.lock'), 'utf8')).toBe(
      readFileSync(join(canary.folder, 'yarn.lock'), 'utf8'),
    );
  });

  test.each([
    [
      'the folder of the project',
      (to: string) => `rm -rf /build/source/web && ln -s ${to} /build/source/web`,
    ],
    ['its packages', (to: string) => `ln -s ${to} /build/source/web/node_modules`],
  ])(
    '[R7] when %s is a link after a failed installation, nothing of the host is removed or gets other rights',
    async (_what, swap) => {
      const outcome = await build(
        sandbox,
        {
          'node_modules/.bin/env': `#!/bin/sh\n${swap(canary.folder)}\nexit 1\n`,
          'web/package.json': wanting(`yarn@${YARN_VERSION}`),
          'web/yarn.lock': '',
          'web/broken': '',
          'index.html': '',
        },
        'cd web && yarn install',
        `failed-${name.replaceAll(' ', '-')}`,
      );
      nothingTold(outcome);
    },
  );
});
