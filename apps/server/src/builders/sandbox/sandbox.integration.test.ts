import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processes } from '@cannery/dev-env';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEgressProxy } from '../../egress/egress-proxy.ts';
import { bareSandbox } from './bare.ts';
import { bubblewrapSandbox } from './bubblewrap.ts';
import { chooseSandbox } from '../machine/choose-sandbox.ts';
import { namespaceSandbox } from './namespaces.ts';
import { removeFolder } from '../process/remove-folder.ts';
import { defaultLimits, type Sandbox, type SandboxStep, type StepResult } from './sandbox.ts';
import { type TestWorkspace, testWorkspace } from '../disks/workspace.testing.ts';
import { findToolchain } from './toolchain.ts';
import { workingBubblewrap } from '../../../test/support/sandboxes-here.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'cannery-sandbox-'));
const limits = { ...defaultLimits, processes: 200, memoryBytes: 512 * 1024 ** 2, diskBytes: 64 * 1024 ** 2 };
const toolchain = await findToolchain(process.env);
const hidden = { dataDir, projectRoot: process.cwd() };
const isRoot = process.getuid?.() === 0;
const bwrap = await workingBubblewrap();

const isolating: Sandbox[] = [
  ...(isRoot ? [namespaceSandbox({ toolchain, hidden, limits, asRoot: true })] : []),
  namespaceSandbox({ toolchain, hidden, limits, asRoot: false }),
  ...(bwrap === null ? [] : [bubblewrapSandbox({ program: bwrap, toolchain, hidden, limits })]),
];

const egress = startEgressProxy({ log: { warn: () => undefined } as never });
let listener: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  writeFileSync(join(dataDir, 'secret'), 'the secret of the server');
  listener = createServer((socket) => {
    connections += 1;
    socket.end('reached');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as { port: number }).port;
});

afterAll(async () => {
  await egress.close();
  listener.close();
  await removeFolder(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

interface Outcome extends StepResult {
  text: string;
  folders: TestWorkspace;
}

async function run(sandbox: Sandbox, script: string, step: Partial<SandboxStep> = {}): Promise<Outcome> {
  mkdirSync(join(dataDir, 'builds'), { recursive: true });
  const folders = await testWorkspace(dataDir, sandbox);
  folders.put('index.html', 'a page');
  const lines: string[] = [];
  const result = await sandbox.run(folders, {
    argv: ['sh', '-c', script],
    env: {},
    way: null,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onLine: (line) => lines.push(line),
    ...step,
  });
  return { ...result, text: lines.join('\n'), folders };
}

/** Whether any process of the machine has this text in its arguments. */
function isRunning(mark: string): boolean {
  return processes().some(({ command }) => command.includes(mark));
}

describe.each(isolating.map((sandbox, index) => [`${sandbox.name} ${index}`, sandbox] as const))(
  '%s',
  (_name, sandbox) => {
    test('builds with the Node and npm of the server, in the checkout', async () => {
      const { text, exitCode, folders } = await run(
        sandbox,
        'node -p process.version; npm -v; pwd; cat index.html; mkdir dist; echo x > dist/a',
      );
      expect(exitCode).toBe(0);
      expect(text).toContain(process.version);
      expect(text).toMatch(/^\d+\.\d+\.\d+$/m);
      expect(text).toContain('/build/source\na page');
      expect(readFileSync(join(folders.disk.source, 'dist', 'a'), 'utf8')).toBe('x\n');
    });

    test('sees neither the data folder, nor the project, nor homes, nor the environment', async () => {
      process.env.CANNERY_TEST_SECRET = 'in the environment';
      const { text } = await run(
        sandbox,
        `cat ${dataDir}/secret; ls ${process.cwd()} /root /home ${tmpdir()}; env; cat /proc/*/environ /proc/*/cmdline; ls /`,
      );
      delete process.env.CANNERY_TEST_SECRET;
      expect(text).not.toContain('the secret of the server');
      expect(text).not.toContain('in the environment');
      expect(text).not.toContain('package-lock.json');
      expect(text).not.toContain('vitest');
      expect(text.split('\n')).toContain('HOME=/build/home');
    });

    test('knows localhost, whatever the machine says about where names are looked up', async () => {
      const { text } = await run(
        sandbox,
        "cat /etc/nsswitch.conf; node -e \"require('node:dns').lookup('localhost', console.log)\"",
      );
      expect(text.split('\n')).toEqual(
        expect.arrayContaining([
          'hosts: files dns',
          expect.stringMatching(/^null (?:127\.0\.0\.1 4|::1 6)$/),
        ]),
      );
    });

    test('can write nothing but its own folders', async () => {
      const { text } = await run(
        sandbox,
        'for f in / /usr /usr/bin /etc /build /opt/cannery/bin /proc/sys/kernel; do touch $f/x 2>/dev/null && echo wrote $f; done; ' +
          'mount -t tmpfs x /usr 2>/dev/null && echo mounted; mount -o remount,rw /usr 2>/dev/null && echo remounted; umount /usr 2>/dev/null && echo unmounted; ' +
          'chroot / true 2>/dev/null && echo chrooted; mknod d b 8 0 2>/dev/null && echo device; grep -E "CapEff|NoNewPrivs" /proc/self/status',
      );
      expect(text).toBe('CapEff:\t0000000000000000\nNoNewPrivs:\t1');
    });

    test('has no network but a separate loopback', async () => {
      const before = connections;
      const probe = (address: string, at: number): string =>
        `require('net').connect(${at}, '${address}').on('connect', () => console.log('reached')).on('error', (e) => console.log(e.code))`;
      const own =
        "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log('own loopback'); s.close(); })";
      const { text } = await run(
        sandbox,
        `node -e "${probe('127.0.0.1', port)}"; node -e "${probe('192.0.2.1', 80)}"; node -e "${own}"`,
      );
      expect(connections).toBe(before);
      expect(text).toBe('ECONNREFUSED\nENETUNREACH\nown loopback');
    });

    test('with a way out it reaches that and nothing else, and ends as its command does', async () => {
      const before = connections;
      const direct = `require('net').connect(${port}, '127.0.0.1').on('connect', () => console.log('reached')).on('error', (e) => console.log(e.code))`;
      // Not `fetch`: that of Node 24 asks a proxy for a tunnel also to http.
      const asked = `require('http').get('http://127.0.0.1:${port}', (answer) => answer.pipe(process.stdout))`;
      const way = await egress.open({ hosts: [], at: 'socket' });
      const { text, exitCode } = await run(
        sandbox,
        `node -e "${direct}"; node -e "${asked}"; node -e "process.exit(7)"`,
        { way: way.address },
      );
      await way.close();
      expect(connections).toBe(before);
      expect(text).toMatch(/^ECONNREFUSED\nhttp:.* was refused: it is not one of the registries/);
      expect(exitCode).toBe(7);
    });

    test('processes of other builds and of the machine are out of reach', async () => {
      const { text } = await run(
        sandbox,
        `kill -9 ${process.pid}; kill -0 ${process.pid} && echo alive; ls /proc | grep -c '^[0-9]'`,
      );
      expect(text).not.toContain('alive');
      expect(Number(text.split('\n').at(-1))).toBeLessThan(8);
    });

    test('the time limit ends the whole tree, orphans in other sessions included', async () => {
      const mark = `${30_000 + Math.floor(Math.random() * 10_000)}.75`;
      const start = Date.now();
      const { stopped } = await run(
        sandbox,
        `setsid nohup sleep ${mark} & (sleep ${mark} &); sleep ${mark}`,
        { timeoutMs: 1_500 },
      );
      expect(stopped).toMatch(/longer than the limit of 2 s/);
      expect(Date.now() - start).toBeLessThan(5_000);
      await delay(200);
      expect(isRunning(mark)).toBe(false);
    });

    test('no daemon outlives a step that ends by itself', async () => {
      const mark = `${40_000 + Math.floor(Math.random() * 10_000)}.75`;
      const { exitCode } = await run(sandbox, `setsid nohup sleep ${mark} >/dev/null 2>&1 & exit 0`);
      expect(exitCode).toBe(0);
      await delay(200);
      expect(isRunning(mark)).toBe(false);
    });

    test('a fork bomb hits the bound on processes and dies with the step', async () => {
      const { text, stopped } = await run(
        sandbox,
        'i=0; while [ $i -lt 400 ]; do sleep 60 & i=$((i+1)); done; echo "started all"',
        { timeoutMs: 60_000 },
      );
      expect(text, stopped ?? undefined).toMatch(/[Cc]annot fork|Resource temporarily unavailable/);
      expect(text).not.toContain('started all');
    });

    test('a file beyond the limit and a folder beyond the quota end the step', async () => {
      const { stopped } = await run(
        sandbox,
        'for i in 1 2 3 4 5 6 7 8; do head -c 20000000 /dev/zero > f$i; done; sleep 10',
      );
      expect(stopped).toBe('it wrote more than 64 MB to disk');
    });

    test('memory beyond the limit ends the step', async () => {
      const hog = 'const a = []; for (;;) a.push(Buffer.alloc(16 * 1024 * 1024, 1))';
      const { exitCode, stopped, isOutOfMemory } = await run(sandbox, `node -e "${hog}"`);
      expect(exitCode).not.toBe(0);
      expect(stopped).toMatch(/memory/);
      expect(isOutOfMemory).toBe(true);
    });

    test('values of the environment arrive as they are', async () => {
      const value = 'a b "c" \'d\' $HOME `e` \\f = ü';
      expect((await run(sandbox, 'printf %s "$VALUE"', { env: { VALUE: value } })).text).toBe(value);
    });
  },
);

describe('without isolation', () => {
  const sandbox = bareSandbox({ toolchain, limits, warning: 'take care' });

  test('the way out and the bounds of git are named, for programs that follow them', async () => {
    const { text } = await run(sandbox, 'env; git config --get safe.bareRepository', {
      way: 'http://id:@127.0.0.1:1',
    });
    for (const line of ['HTTPS_PROXY=http://id:@127.0.0.1:1', 'GIT_ALLOW_PROTOCOL=https', 'explicit'])
      expect(text.split('\n')).toContain(line);
  });

  test('the environment is clean and the tree still dies', async () => {
    process.env.CANNERY_TEST_SECRET = 'in the environment';
    const mark = `${50_000 + Math.floor(Math.random() * 10_000)}.75`;
    const { text, exitCode } = await run(
      sandbox,
      `env; setsid nohup sleep ${mark} >/dev/null 2>&1 & sleep 0.2; exit 3`,
    );
    delete process.env.CANNERY_TEST_SECRET;
    expect(exitCode).toBe(3);
    expect(text).not.toContain('in the environment');
    expect(isRunning(mark)).toBe(false);
  });
});

const options = {
  toolchain,
  hidden,
  limits,
  buildsFolder: join(dataDir, 'builds'),
  tenantsFolder: join(dataDir, 'tenants'),
  log: { info: () => undefined } as never,
  searchPath: '',
};

test('where no sandbox answers in time nothing is built, also where building without one is allowed', async () => {
  await expect(chooseSandbox({ ...options, allowBare: true, patienceMs: 1 })).rejects.toThrow(
    'the sandbox did not answer in time',
  );
});

test('what works on this machine is found by trying', async () => {
  const sandbox = await chooseSandbox({ ...options, allowBare: false });
  expect(sandbox.name).toBe('namespaces');
  expect(sandbox.warning).toBeNull();
});
