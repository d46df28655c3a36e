import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApi, freePort, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npmEnvironment } from '../steps/bring.mjs';
import { cache, root } from '../steps/project.mjs';

/** The package takes the machine's Node and npm to start, and those of this checkout after that. */
const program = process.execPath;
const npm = path.join(cache, 'toolchain/npm/node_modules/npm/bin/npm-cli.js');
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** On an idle machine it takes 30 s in all; a busy one should not make it fail. */
const PATIENCE_MS = 600_000;

let folder = '';
let running: ChildProcess | undefined;
let output = '';
let startedWith: NodeJS.ProcessEnv = {};

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cannery-package-'));
});
afterAll(async () => {
  if (running !== undefined && running.exitCode === null) {
    const ended = new Promise((resolve) => running?.once('exit', resolve));
    running.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** An environment without anything of this checkout. */
function environment(ports: readonly number[]): NodeJS.ProcessEnv {
  const own = Object.entries(npmEnvironment(process.env)).filter(([, value]) => !value?.includes(root));
  return {
    ...Object.fromEntries(own.filter(([name]) => !/^(?:VITEST|NODE_|PGHOST|DATABASE_URL)/.test(name))),
    PATH: [path.dirname(program), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
    PORT: String(ports[0]),
    NETWORK_PORT: String(ports[1]),
    npm_config_prefer_offline: 'true',
  };
}

/** Starts a program that does not see this checkout, where the rights for that are there. */
function start(
  file: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[] = [],
): ChildProcess {
  const hidden = 'mount -t tmpfs none "$1" && shift && exec "$@"';
  const [command, before] = isRoot
    ? ['unshare', ['--mount', 'sh', '-c', hidden, 'sh', root, file]]
    : [file, [] as string[]];
  const child = spawn(command, [...before, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return child;
}

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/release/pack.ts', path.join(folder, 'packed')], {
    cwd: root,
    env: { ...process.env, npm_execpath: npm },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}, PATIENCE_MS);

test('the package of the product starts in an empty folder without this checkout, shows the console and creates a canister', {
  timeout: PATIENCE_MS,
}, async () => {
  const packed = path.join(folder, 'packed');
  const [file = ''] = readdirSync(packed);
  expect(file).toMatch(/^cannery-\d+\.\d+\.\d+\.tgz$/);

  const home = path.join(folder, 'home');
  mkdirSync(home);
  const env = environment(await Promise.all([freePort(), freePort()]));
  execFileSync(program, [npm, 'install', '--offline', '--no-audit', path.join(packed, file)], {
    cwd: home,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const product = path.join(home, 'node_modules/cannery/product');
  for (const name of ['LICENSE', 'CHANGELOG.md', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json', 'README.md'])
    expect(existsSync(path.join(product, '..', name)), name).toBe(true);
  // Node and npm are here already; what the product needs beside them is fetched, from the cache of npm where it has it.
  for (const name of ['node', 'npm'])
    cpSync(realpathSync(path.join(cache, 'toolchain', name)), path.join(product, '.cache/toolchain', name), {
      recursive: true,
      verbatimSymlinks: true,
    });

  // This Node is that of the checkout, which is hidden: the copied one starts the package.
  const ownNode = path.join(product, '.cache/toolchain/node/node_modules');
  const [platform = ''] = readdirSync(ownNode).filter((name) => name.startsWith('node-'));
  env['PATH'] = `${path.join(ownNode, platform, 'bin')}${path.delimiter}${env['PATH']}`;
  startedWith = env;
  running = start(path.join(home, 'node_modules/.bin/cannery'), home, env);
  const url = `http://localhost:${env['PORT']}`;
  await expect
    .poll(
      () => {
        if (running?.exitCode !== null) throw new Error(`It has ended. It printed:\n${output}`);
        return output;
      },
      { timeout: PATIENCE_MS },
    )
    .toContain(`Cannery is ready: ${url}`);
  expect(output).toMatch(/^Cannery \d+\.\d+\.\d+: the first start/);
  expect(output).toContain('Fetching packages ...');

  const page = await (await fetch(url)).text();
  expect(page).toContain('<div id="root">');
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
  expect((await fetch(`${url}${script}`)).status).toBe(200);

  const api = createApi(url, await signIn(url, 'ada'));
  const { data } = await api.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'first',
  });
  expect(data.canister_id).toMatch(/^[a-z0-9-]+-cai$/);
  expect(existsSync(path.join(home, '.cannery'))).toBe(true);
});

test('its commands back up the product while it runs, and restore it', { timeout: PATIENCE_MS }, async () => {
  const home = path.join(folder, 'home');
  const command = path.join(home, 'node_modules/.bin/cannery');
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
    const child = start(command, home, { ...startedWith, ...env }, args);
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code, said).toBe(0);
    return said;
  };
  const backup = path.join(folder, 'backup');
  expect(await run(['backup', '--to', backup])).toContain('1 canisters');
  expect(await run(['backup', '--check', backup])).toContain('The backup is whole.');
  const restored = path.join(folder, 'restored');
  await run(['restore', '--from', backup], { DATA_DIR: restored });
  expect(readdirSync(restored)).toContain('network');
});

test('nothing in the package names this checkout', () => {
  const product = path.join(folder, 'home/node_modules/cannery/product');
  const programs = path.join(product, 'dist/programs/release');
  const files = readdirSync(programs).map((name) => path.join(programs, name));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => readFileSync(file, 'utf8').includes(root))).toEqual([]);
  expect(readdirSync(path.join(product, 'examples/static-site'))).toContain('.gitignore');
});
