import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox, SandboxStep } from '../../src/builders/sandbox/sandbox.ts';
import { type TestWorkspace, testWorkspace } from '../../src/builders/disks/workspace.testing.ts';
import { findToolchain } from '../../src/builders/sandbox/toolchain.ts';
import { type HostCanary, hostCanary } from './host-canary.ts';
import { namedSandboxes } from '../support/sandboxes-here.ts';

const root = mkdtempSync(join(tmpdir(), 'cannery-build-folders-'));
const sandboxes = await namedSandboxes(await findToolchain(process.env), root);
let canary: HostCanary;
let dataDir: string;

beforeEach(() => {
  canary = hostCanary(mkdtempSync(join(root, 'host-')));
  dataDir = mkdtempSync(join(root, 'data-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Programs that steps of the server and scripts of projects call by their names. */
const SYSTEM = [
  'sh',
  'env',
  'git',
  'node',
  'npm',
  'npx',
  'tar',
  'rm',
  'cp',
  'find',
  'chmod',
  'cat',
  'sed',
  'grep',
  'ls',
];

async function run(
  sandbox: Sandbox,
  folders: TestWorkspace,
  script: string,
  step: Partial<SandboxStep> = {},
): Promise<string[]> {
  const lines: string[] = [];
  await sandbox.run(folders, {
    argv: ['sh', '-c', script],
    env: {},
    way: null,
    timeoutMs: 120_000,
    signal: new AbortController().signal,
    onLine: (line) => lines.push(line),
    ...step,
  });
  return lines;
}

/** What a build leaves behind that is hard to remove, or leads elsewhere when it is. */
const LEFT: Readonly<Record<string, (host: string) => string>> = {
  'a link to the host': (host) => `ln -s ${host} node_modules`,
  'a link in a folder': (host) => `mkdir -p a/b && ln -s ${host} a/b/c`,
  'many links': (host) => `for n in 1 2 3 4 5 6 7 8 9; do ln -s ${host}/node_modules l$n; done`,
  'a home that leads elsewhere': (host) => `ln -s ${host} "$HOME/.npm"`,
  'a folder without rights': () =>
    'mkdir -p locked/deep && touch locked/deep/x && chmod 0 locked/deep locked',
  'a link in a folder without rights': (host) =>
    `mkdir locked && ln -s ${host} locked/out && chmod 500 locked`,
  'a file without rights': () => 'touch file && chmod 0 file',
  'a path longer than a program may name': () =>
    'n=$(printf "%0200d" 0); i=0; while [ $i -lt 40 ]; do mkdir $n && cd $n || exit 1; i=$((i+1)); done; touch end',
  'a pipe and a socket': () =>
    `mkfifo pipe; node -e "require('net').createServer().listen('socket', () => process.exit())"`,
  'names that look like options': () => 'touch -- -rf --help "-R u+w"; mkdir -- --no-preserve-root',
  'names of control characters': () =>
    `mkdir "$(printf 'a\\nb')" "$(printf '\\033[2J')"; touch "$(printf 'x\\ty')"`,
  'a file for the next step of the server': (host) =>
    `mkdir -p .git && ln -s ${host}/package.json .git/config`,
  'hard links': () => 'touch one && for n in 1 2 3 4 5; do ln one two$n; done',
};

describe.each(sandboxes)('with %s', (_name, sandbox) => {
  test(`[R7] none of ${SYSTEM.length} programs of the system is replaced by one of the project, and an installation has none of it`, async () => {
    const folders = await testWorkspace(dataDir, sandbox);
    for (const name of [...SYSTEM, 'only-here']) {
      folders.put(`node_modules/.bin/${name}`, '#!/bin/sh\necho PROJECT\n', 0o755);
      folders.put(`web/node_modules/.bin/${name}`, '#!/bin/sh\necho PROJECT\n', 0o755);
    }
    const ask = `for name in ${SYSTEM.join(' ')} only-here; do command -v $name; done; true`;
    const command = await run(sandbox, folders, ask, { packagesIn: 'web' });
    expect(command).toHaveLength(SYSTEM.length + 1);
    expect(command.filter((path) => path.includes('node_modules'))).toEqual([
      '/build/source/web/node_modules/.bin/only-here',
    ]);
    const installation = await run(sandbox, folders, ask);
    expect(installation).toHaveLength(SYSTEM.length);
    expect(installation.filter((path) => path.startsWith('/build'))).toEqual([]);
    await folders.remove();
  });

  test.each(Object.entries(LEFT))(
    '[R7] %s that a build left when its server died is removed with it, and nothing else',
    async (_what, leave) => {
      const id = crypto.randomUUID();
      const killed = await testWorkspace(dataDir, sandbox, { id });
      await run(sandbox, killed, leave(canary.folder));
      expect(readdirSync(killed.disk.source).length + readdirSync(killed.disk.home).length).toBeGreaterThan(
        0,
      );
      const next = await testWorkspace(dataDir, sandbox, { id });
      expect(readdirSync(next.disk.source)).toEqual([]);
      expect(readdirSync(next.disk.home)).toEqual([]);
      await run(sandbox, next, leave(canary.folder));
      await next.remove();
      expect(readdirSync(join(dataDir, 'tenants', 'ada', 'builds'))).toEqual([]);
      expect(readdirSync(join(dataDir, 'builds'))).toEqual([]);
      expect(canary.changes()).toEqual([]);
    },
  );

  test.each([
    ['an absolute link', (host: string) => `ln -s ${host} out`, false],
    ['a link by dots', () => 'mkdir a && ln -s ../../.. a/out', false],
    ['a link to a link', () => 'ln -s ../.. first && ln -s first second', false],
    ['a link to nothing', () => 'ln -s nothing out', false],
    ['an absolute link to itself', () => 'mkdir a && ln -s /build/source/a out', false],
    ['a pipe', () => 'mkfifo pipe', false],
    [
      'links that stay inside',
      () =>
        'mkdir -p node_modules/.bin node_modules/x && touch node_modules/x/cli && ln -s ../x/cli node_modules/.bin/x',
      true,
    ],
  ])('[R7] a fetched program with %s', async (_what, make, isFine) => {
    const folders = await testWorkspace(dataDir, sandbox);
    await run(sandbox, folders, make(canary.folder));
    const { result } = await folders.source.ask({ op: 'seal', most: 1_000 });
    expect(result).toMatchObject({ sealed: isFine });
    await folders.remove();
    expect(canary.changes()).toEqual([]);
  });

  test.each(['source', 'home', 'cache'] as const)(
    '[R7] a %s that is another folder than the one that was made is not mounted',
    async (place) => {
      const folders = await testWorkspace(dataDir, sandbox);
      const disk = folders.disk[place];
      const away = join(dirname(disk), 'away');
      renameSync(disk, away);
      symlinkSync(canary.folder, disk);
      const step = place === 'cache' ? { cache: folders.cache } : {};
      await expect(run(sandbox, folders, 'echo ran', step)).rejects.toThrow('is not where it was made');
      rmSync(disk);
      renameSync(away, disk);
      expect(await run(sandbox, folders, 'echo ran', step)).toEqual(['ran']);
      await folders.remove();
      expect(canary.changes()).toEqual([]);
    },
  );
});
