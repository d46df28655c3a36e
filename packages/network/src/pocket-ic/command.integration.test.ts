import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PocketIc } from '@dfinity/pic';
import { expect, onTestFinished, test } from 'vitest';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));

test('the program says where it is, and leaves nothing when it is told to stop', {
  timeout: 60_000,
}, async () => {
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
  const pic = await PocketIc.create(`http://127.0.0.1:${port}`);
  await pic.createCanister();
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(existsSync(portFile)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});

function readyPort(line: unknown): string {
  const port = /^pocket-ic ready: http:\/\/127\.0\.0\.1:(\d+)$/.exec(String(line))?.[1];
  if (port === undefined) throw new Error(`it is not ready: ${String(line)}`);
  return port;
}
