import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@cannery/dev-env';
import { afterEach, beforeEach, expect, test } from 'vitest';

const RUN_SCRIPT = fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url));
const STARTS_MS = 180_000;

let dataDir: string;
let started: ChildProcess | undefined;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-kept-'));
});
afterEach(async () => {
  started?.kill('SIGTERM');
  await until(() => processesOf(dataDir).length === 0, 'all of it ends');
  await rm(dataDir, { recursive: true });
});

/** What `npm start` runs. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  const [port, networkPort] = await Promise.all([freePort(), freePort()]);
  const child = spawn(process.execPath, [RUN_SCRIPT, 'start'], {
    env: {
      ...process.env,
      npm_lifecycle_event: undefined,
      DATA_DIR: dataDir,
      PORT: String(port),
      NETWORK_PORT: String(networkPort),
      WORKER: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = `http://localhost:${port}`;
  const readyTimes = () => output.split(`Cannery is ready: ${url}\n`).length - 1;
  return { child, ended, url, output: () => output, readyTimes };
}

/** Processes that have the data folder in their environment or arguments, but for those that have ended. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => {
      try {
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
        return ['environ', 'cmdline'].some((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(folder),
        );
      } catch {
        return false;
      }
    });
}

/** The server itself: the child of `npm start`. */
function serverOf({ pid }: ChildProcess): number {
  return (
    processesOf(dataDir).find((id) =>
      new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readFileSync(`/proc/${id}/status`, 'utf8')),
    ) ?? 0
  );
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 90_000; !condition(); await delay(50)) {
    if (Date.now() > end) throw new Error(`Waited too long: ${what}`);
  }
}

test(
  'a server that dies is started again on its folder and ports, and all of it ends with npm start',
  async () => {
    const product = await start();
    await until(() => product.readyTimes() === 1, product.output());
    for (const time of [2, 3]) {
      const server = serverOf(product.child);
      expect(server).toBeGreaterThan(0);
      process.kill(server, 'SIGKILL');
      await until(() => product.readyTimes() === time, `ready for the ${time}. time`);
      expect((await fetch(`${product.url}/api/health`)).status).toBe(200);
    }
    expect(product.output()).toContain('Cannery has ended (SIGKILL) and is started again in 0.5 s.');
    product.child.kill('SIGTERM');
    expect(await product.ended).toBe(0);
    await until(() => processesOf(dataDir).length === 0, 'all of it ends');
  },
  STARTS_MS,
);

test(
  'everything ends when npm start is killed',
  async () => {
    const product = await start();
    await until(() => product.readyTimes() === 1, product.output());
    product.child.kill('SIGKILL');
    await until(() => processesOf(dataDir).length === 0, 'all of it ends');
  },
  STARTS_MS,
);

test.each<{ by: string; npm: Readonly<Record<string, string>>; code: number }>([
  { by: 'npm', npm: { npm_lifecycle_event: 'start' }, code: 1 },
  { by: 'a manager of services', npm: {}, code: 78 },
])(
  'a setting that cannot be used is said once, and ends with $code what $by has started',
  async ({ npm, code }) => {
    const product = await start({ ...npm, PUBLIC_URL: 'http://localhost:4000/cannery' });
    expect(await product.ended).toBe(code);
    expect(product.output()).toMatch(/PUBLIC_URL: must be an address without a path/);
    expect(product.output().match(/PUBLIC_URL/g)).toHaveLength(1);
  },
  STARTS_MS,
);
