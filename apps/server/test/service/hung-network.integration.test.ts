import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { networkProgram } from '@cannery/dev-env';
import { createLogger } from '../../src/log/logger.ts';
import { startNetwork } from '../../src/network/network-process.ts';

/** A machine with other work takes its time to start a network. */
const PATIENCE_MS = 90_000;

let folder: string;
let before: string | undefined;

/** A program that hangs when it is told to: its main thread never gets to its next turn. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-hung-'));
  const hook = join(folder, 'hang.mjs');
  writeFileSync(
    hook,
    `import { isMainThread } from 'node:worker_threads';
     if (isMainThread) process.on('SIGUSR2', () => { for (;;); });`,
  );
  before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = `${before ?? ''} --import=${hook}`;
});
afterEach(() => {
  if (before === undefined) delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = before;
  rmSync(folder, { recursive: true, force: true });
});

/** A process that has ended is not running, whether or not its parent has waited for it. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(`${url}/api/v2/status`, { signal: AbortSignal.timeout(2_000) });
    return ok;
  } catch {
    return false;
  }
}

/** Starts a network alone, at an address of this computer. */
const startAt = (host: string) =>
  startNetwork({
    dataDir: join(folder, `network at ${host}`),
    host,
    port: 0,
    fees: 'free',
    services: 'none',
    candidUrl: undefined,
    access: { hosts: [], provisional: 'anyone', canisterUrl: undefined, outcalls: 'off', dashboard: 'off' },
    log: createLogger({ logLevel: 'silent' }),
  });

test('a network whose main thread hangs is ended and started again at the same address', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  const network = await startAt('127.0.0.1');
  try {
    const hung = network.pid() ?? 0;
    expect(await answers(network.url)).toBe(true);
    process.kill(hung, 'SIGUSR2');
    await expect.poll(() => answers(network.url), { timeout: PATIENCE_MS }).toBe(false);
    await expect.poll(() => answers(network.url), { timeout: PATIENCE_MS, interval: 500 }).toBe(true);
    expect(network.pid()).not.toBe(hung);
    expect(isRunning(hung)).toBe(false);
  } finally {
    await network.stop();
  }
});

test('a network that listens at one address of the computer is asked there', async () => {
  const network = await startAt('127.0.0.2');
  try {
    expect(new URL(network.url).hostname).toBe('127.0.0.2');
    expect(await answers(network.url)).toBe(true);
  } finally {
    await network.stop();
  }
});

test('a network whose main thread hangs ends with the server that started it', {
  timeout: 2 * PATIENCE_MS,
}, async () => {
  // A server is what holds the pipe of the network's input; this one does nothing else.
  const server = `
    const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    child.stdout.on('data', (text) => process.stdout.write(child.pid + ' ' + text));`;
  const options = ['--data-dir', join(folder, 'network'), '--port', '0', '--exit-with-parent'];
  options.push('--services', 'none');
  const parent: ChildProcess = spawn(process.execPath, ['-e', server, networkProgram, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(parent.stdout ?? parent, 'data')) as [Buffer];
  const pid = Number(String(text).split(' ')[0]);
  try {
    process.kill(pid, 'SIGUSR2');
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), { timeout: PATIENCE_MS }).toBe(false);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});
