import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ESCAPE_SCRIPT } from '../../../test/builds/escape-script.ts';
import { sandboxesHere } from '../../../test/support/sandboxes-here.ts';
import { bareSandbox } from './bare.ts';
import { removeFolder } from '../process/remove-folder.ts';
import { defaultLimits, type Sandbox } from './sandbox.ts';
import { testWorkspace } from '../disks/workspace.testing.ts';
import { findToolchain } from './toolchain.ts';

const SECRET = `a secret of the server, ${crypto.randomUUID()}`;
const mark = crypto.randomUUID();
const dataDir = mkdtempSync(join(tmpdir(), 'cannery-escapes-'));
const builds = join(dataDir, 'tenants', 'ada', 'builds');
const temporary = join(tmpdir(), `cannery-canary-${mark}`);
const shared = `/dev/shm/cannery-canary-${mark}`;
const toolchain = await findToolchain(process.env);
const sandboxes = await sandboxesHere(toolchain, dataDir);
const other = `other-${mark}`;

const servers: Server[] = [];
/** A process of the machine that has the secret in its environment and among its arguments. */
let neighbour: ChildProcess;
let port = 0;
let connections = 0;

async function listening(at: { path: string } | { host: string; port: number }): Promise<Server> {
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, resolve);
  });
  return server;
}

beforeAll(async () => {
  writeFileSync(join(dataDir, 'secret'), SECRET);
  mkdirSync(join(builds, other, 'source'), { recursive: true });
  for (const file of [join(builds, other, 'source', 'secret'), temporary, shared])
    writeFileSync(file, SECRET);
  neighbour = spawn('sh', ['-c', 'sleep 600', SECRET], {
    env: { PATH: process.env.PATH, SECRET },
    detached: true,
    stdio: 'ignore',
  });
  const server = await listening({ host: '0.0.0.0', port: 0 });
  port = (server.address() as { port: number }).port;
  await listening({ path: join(dataDir, 'socket') });
  await listening({ path: `\0cannery-${mark}` });
});
afterAll(async () => {
  if (neighbour.pid !== undefined) process.kill(-neighbour.pid, 'SIGKILL');
  for (const server of servers) server.close();
  rmSync(temporary, { force: true });
  rmSync(shared, { force: true });
  await removeFolder(dataDir);
});

/** What each probe of the script answers in a step. */
async function probe(sandbox: Sandbox, acts: boolean): Promise<Record<string, string>> {
  const folders = await testWorkspace(dataDir, sandbox);
  folders.put('escape.cjs', ESCAPE_SCRIPT);
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
  const targets = {
    secret: SECRET,
    acts,
    pid: process.pid,
    file: join(dataDir, 'secret'),
    folder: dataDir,
    builds,
    other,
    otherFile: join(builds, other, 'source', 'secret'),
    project: process.cwd(),
    temporary,
    shared,
    socket: join(dataDir, 'socket'),
    abstract: `cannery-${mark}`,
    port,
    own,
  };
  folders.put('targets.json', JSON.stringify(targets));
  const lines: string[] = [];
  await sandbox.run(folders, {
    argv: ['node', 'escape.cjs'],
    env: {},
    way: null,
    timeoutMs: 120_000,
    signal: new AbortController().signal,
    onLine: (line) => lines.push(line),
  });
  const found = lines.findLast((line) => line.startsWith('{'));
  if (found === undefined) throw new Error(`The script did not end: ${lines.join('\n')}`);
  return JSON.parse(found) as Record<string, string>;
}

const reachedOf = (results: Record<string, string>): string[] =>
  Object.keys(results).filter((name) => results[name] === 'REACHED');

test.each(sandboxes.map((sandbox) => [sandbox.name, sandbox] as const))(
  '[R7] no probe of a build command gets out of %s',
  async (_name, sandbox) => {
    const before = connections;
    const results = await probe(sandbox, true);
    expect(Object.keys(results).length).toBeGreaterThanOrEqual(60);
    expect(reachedOf(results)).toEqual([]);
    expect(connections).toBe(before);
    for (const file of ['/etc/escape', '/etc/cron.d/escape', '/usr/bin/escape', '/etc/profile.d/escape.sh']) {
      expect(existsSync(file), file).toBe(false);
    }
    expect(readFileSync(temporary, 'utf8')).toBe(SECRET);
  },
);

test('[R7] the probes find a way where there is no sandbox', async () => {
  const before = connections;
  const reached = reachedOf(
    await probe(bareSandbox({ toolchain, limits: defaultLimits, warning: '' }), false),
  );
  expect(reached).toEqual(
    expect.arrayContaining([
      'file of the server',
      'file of the server by a symbolic link',
      'file of another build',
      'builds of others',
      'the project',
      'temporary folder of the machine',
      'shared memory of the machine',
      'environment of any process',
      'arguments of any process',
      'the server is in sight',
      'processes of the machine',
      'TCP of the machine',
      'socket file of the machine',
      'abstract socket of the machine',
    ]),
  );
  expect(connections).toBeGreaterThan(before);
});
