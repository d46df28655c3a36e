import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Actor, type ActorMethod } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connect, deploy } from '../../../packages/network/test/agent.ts';
import { askPage } from '../../../packages/network/test/ask-page.ts';
import { npmEnvironment } from '../../steps/bring.mjs';
import { cache, root } from '../../steps/project.mjs';

const npm = path.join(cache, 'toolchain/npm/node_modules/npm/bin/npm-cli.js');
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** On an idle machine it takes 10 s in all; a busy one should not make it fail. */
const PATIENCE_MS = 180_000;

let folder = '';
let home = '';
let environment: NodeJS.ProcessEnv = {};

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cannery-network-package-'));
  home = path.join(folder, 'home');
  mkdirSync(home);
  // The Node of the checkout would be hidden with it.
  const node = path.join(folder, 'node');
  mkdirSync(node);
  cpSync(process.execPath, path.join(node, 'node'), { dereference: true });
  const own = Object.entries(npmEnvironment(process.env)).filter(([, value]) => !value?.includes(root));
  environment = {
    ...Object.fromEntries(own.filter(([name]) => !/^(?:VITEST|NODE_)/.test(name))),
    PATH: [node, '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
  };
  execFileSync(process.execPath, ['scripts/release/network/pack.ts', path.join(folder, 'packed')], {
    cwd: root,
    env: { ...process.env, npm_execpath: npm },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [file = ''] = readdirSync(path.join(folder, 'packed'));
  expect(file).toMatch(/^cannery-network-\d+\.\d+\.\d+\.tgz$/);
  // A cache with nothing in it: the package needs no other.
  const install = ['install', '--offline', '--no-audit', '--cache', path.join(folder, 'cache')];
  execFileSync(process.execPath, [npm, ...install, path.join(folder, 'packed', file)], {
    cwd: home,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}, PATIENCE_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What runs the command, in a place that does not see this checkout, where the rights for that are there. */
function command(args: readonly string[]): [file: string, args: string[]] {
  const program = path.join(home, 'node_modules/.bin/cannery-network');
  const hidden = 'mount -t tmpfs none "$1" && shift && exec "$@"';
  return isRoot
    ? ['unshare', ['--mount', 'sh', '-c', hidden, 'sh', root, program, ...args]]
    : [program, [...args]];
}

/** Starts the command, and gives the address that it prints when it is ready. It is ended with the test. */
async function start(args: readonly string[]): Promise<string> {
  const child: ChildProcess = spawn(...command(args), {
    cwd: home,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    expect(child.exitCode, said).toBe(0);
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const address = (): string => {
    if (child.exitCode !== null) throw new Error(`It has ended. It printed:\n${said}`);
    return / ready: (http:\S+)\n/.exec(said)?.[1] ?? '';
  };
  await expect.poll(address, { timeout: PATIENCE_MS }).not.toBe('');
  return address();
}

test('the installed network creates a canister, answers its calls, and shows the sign-in page', {
  timeout: PATIENCE_MS,
}, async () => {
  interface Counter {
    inc: ActorMethod<[], bigint>;
    get: ActorMethod<[], bigint>;
  }
  const idl: IDL.InterfaceFactory = () =>
    IDL.Service({ inc: IDL.Func([], [IDL.Nat64], []), get: IDL.Func([], [IDL.Nat64], ['query']) });
  const url = await start(['--data-dir', '.network', '--port', '0']);
  const agent = await connect(url);
  const wasm = readFileSync(path.join(home, 'node_modules/cannery-network/example/counter.wasm'));
  const canisterId = await deploy(agent, wasm);
  const actor = Actor.createActor<Counter>(idl, { agent, canisterId });
  expect(await actor.inc()).toBe(1n);
  expect(await actor.inc()).toBe(2n);
  expect(await actor.get()).toBe(2n);

  const signIn = { port: Number(new URL(url).port), host: 'id.ai.localhost' };
  const page = await askPage({ ...signIn, path: '/authorize' });
  expect(page.status).toBe(200);
  const script = /src="(\/[^"]+\.js)"/.exec(page.body.toString())?.[1] ?? '';
  const { status, body } = await askPage({ ...signIn, path: script });
  expect(status).toBe(200);
  expect(body.toString()).toContain('icrc34_delegation');
});

test('its pocket-ic answers', { timeout: PATIENCE_MS }, async () => {
  const url = await start(['pocket-ic']);
  expect((await fetch(`${url}/status`)).status).toBe(200);
});

test('an older Node is told which one is needed', () => {
  const preload = path.join(folder, 'older.cjs');
  writeFileSync(
    preload,
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.20.0" } });',
  );
  const [file, args] = command(['--help']);
  const { status, stderr } = spawnSync(file, args, {
    encoding: 'utf8',
    env: { ...environment, NODE_OPTIONS: `--require=${preload}` },
  });
  expect(stderr).toMatch(/^cannery-network needs Node 24 or newer, and this is Node 22\.20\.0\./);
  expect(status).toBe(1);
});

test('nothing in the package names this checkout, and it has what its licences ask for', () => {
  const installed = path.join(home, 'node_modules/cannery-network');
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => readFileSync(file).includes(root))).toEqual([]);
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
  const notices = readFileSync(path.join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const programs = readdirSync(path.join(installed, 'dist/programs'))
    .map((name) => readFileSync(path.join(installed, 'dist/programs', name), 'utf8'))
    .join('');
  expect(notices).toContain('@icp-sdk/core@');
  // It is not in the package; where it is installed beside it, it is found.
  expect(notices).not.toContain('sodium-native');
  expect(programs).toContain('sodium-native');
});
