import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { stepBytes } from './step-memory.ts';

const MIB = 1024 ** 2;
const running: ReturnType<typeof spawn>[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** A process that says when it is ready. */
async function started(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  running.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

test.runIf(process.platform === 'linux')(
  'a step that shares the pid namespace of the server is measured without the server',
  async () => {
    const ballast = Buffer.alloc(64 * MIB, 1);
    const pid = await started('sh', ['-c', 'echo ready; read line']);
    expect(await stepBytes(pid)).toBeLessThan(ballast.length);
  },
);

test.runIf(process.platform === 'linux')('what a step started counts as well', async () => {
  const eater = `const kept = Buffer.alloc(${128 * MIB}, 1); console.log('ready'); process.stdin.on('data', () => kept)`;
  const pid = await started('sh', ['-c', '"$0" -e "$1"; :', process.execPath, eater]);
  expect(await stepBytes(pid)).toBeGreaterThan(128 * MIB);
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'what other programs keep in memory is not of a step that has no folders apart yet',
  async () => {
    const folder = mkdtempSync('/dev/shm/cannery-');
    try {
      writeFileSync(join(folder, 'held'), Buffer.alloc(64 * MIB, 1));
      const step = ['--mount', '--pid', '--fork', 'sh', '-c', 'echo ready; read line'];
      expect(await stepBytes(await started('unshare', step))).toBeLessThan(64 * MIB);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('a process that is not there has no memory', async () => {
  expect(await stepBytes(2 ** 30)).toBe(0);
});
