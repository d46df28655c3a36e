import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PocketIc } from '@dfinity/pic';
import { expect, onTestFinished, test } from 'vitest';
import { wat } from '../../../wasm/test/wasm.ts';
import { CLOCKWORK_WAT } from '../../test/canisters/test-canisters.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

/** Open descriptors and threads of the program. */
function heldBy(pid: number): { readonly descriptors: number; readonly threads: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
  };
}

/** What a test does that is soon over. */
async function useInstance(url: string): Promise<void> {
  const pic = await PocketIc.create(url);
  const canisterId = await pic.createCanister();
  await pic.installCode({ canisterId, wasm: wat(CLOCKWORK_WAT) });
  await pic.updateCall({ canisterId, method: 'every hour' });
  await pic.tick();
  await pic.tearDown();
}

const OPTIONS = { timeout: 180_000, skip: process.platform !== 'linux' };

test('20 instances leave nothing behind, nor does the program that is told to stop', OPTIONS, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cannery-pic-test-'));
  const portFile = join(folder, 'port');
  const environment: NodeJS.ProcessEnv = { ...process.env, TMPDIR: folder };
  delete environment['NODE_COMPILE_CACHE'];
  const child = spawn(process.execPath, [CLI, 'pocket-ic', '--port-file', portFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const port = readyPort((await lines.next()).value);
  expect(readFileSync(portFile, 'utf8')).toBe(`${port}\n`);
  const url = `http://127.0.0.1:${port}`;
  await useInstance(url);
  const folders = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isState);
  const before = heldBy(child.pid ?? 0);
  for (let count = 0; count < 20; count++) await useInstance(url);
  await expect
    .poll(() => heldBy(child.pid ?? 0).threads, { timeout: 10_000 })
    .toBeLessThanOrEqual(before.threads);
  expect(heldBy(child.pid ?? 0).descriptors).toBeLessThanOrEqual(before.descriptors + 2);
  expect(folders()).toEqual([]);
  // It is told to stop while an instance is being started.
  const cut = PocketIc.create(url).catch(() => undefined);
  await expect.poll(folders, { interval: 1, timeout: 10_000 }).not.toEqual([]);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(existsSync(portFile)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  await cut;
});

const isState = (path: string): boolean => path.includes('instance-');

function readyPort(line: unknown): string {
  const port = /^pocket-ic ready: http:\/\/127\.0\.0\.1:(\d+)$/.exec(String(line))?.[1];
  if (port === undefined) throw new Error(`it is not ready: ${String(line)}`);
  return port;
}
