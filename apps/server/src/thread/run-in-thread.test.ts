import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LOW_PRIORITY } from '../fairness/step-back.ts';
import { runInThread } from './run-in-thread.ts';

/** Descriptors that the process may still open in the test that takes them all. */
const ROOM = 40;

/** A worker's module that serves the given work. */
function moduleOf(work: string): URL {
  const serving = new URL('./serve-thread.ts', import.meta.url).href;
  const text = `import { getPriority } from 'node:os'; import { serve } from '${serving}';
    class Refusal extends Error {} await serve(${work}, [Refusal]);`;
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`);
}

test.skipIf(process.platform !== 'linux')('a thread for a tenant gives way to the main thread', async () => {
  const before = getPriority(process.pid);
  const task = { request: null, heapMegabytes: 64, timeoutMs: 10_000 };
  // 0 is the thread that asks.
  const inThread = await runInThread<number>({ ...task, module: moduleOf('() => getPriority(0)') });
  expect(inThread).toBe(LOW_PRIORITY);
  expect(getPriority(process.pid)).toBe(before);
});

test.skipIf(process.platform !== 'linux')(
  'a thread that a machine without descriptors cannot begin is no fault of what it was to read',
  async () => {
    const limit = (soft: string) => execFileSync('prlimit', ['--pid', `${process.pid}`, `--nofile=${soft}:`]);
    const before = execFileSync('prlimit', [
      '--pid',
      `${process.pid}`,
      '-o',
      'SOFT',
      '--noheadings',
      '--nofile',
    ]);
    limit(`${readdirSync('/proc/self/fd').length + ROOM}`);
    const held: number[] = [];
    const hold = (): boolean => {
      try {
        return held.push(openSync('/dev/null', 'r')) > 0;
      } catch {
        return false;
      }
    };
    while (hold());
    const module = new URL('../features/document/inspect-worker.ts', import.meta.url);
    const task = { module, request: Buffer.alloc(8), heapMegabytes: 64, timeoutMs: 30_000 };
    const ends: unknown[] = [];
    try {
      // None is free, then one more at each try, until it begins.
      for (let free = 0; free < ROOM / 2 && ends.at(-1) !== 'begun'; free += 1) {
        ends.push(
          await runInThread(task).then(
            () => 'begun',
            (error: Error) => error.name,
          ),
        );
        const next = held.pop();
        if (next !== undefined) closeSync(next);
      }
    } finally {
      for (const each of held) closeSync(each);
      limit(before.toString().trim());
    }
    expect(ends.length).toBeGreaterThan(2);
    expect(new Set(ends.slice(0, -1))).toEqual(new Set(['ThreadStartError']));
    expect(ends.at(-1)).toBe('begun');
  },
);

test.each([
  ['for (;;);', { name: 'ThreadError', message: 'it took longer than 2 s' }],
  [
    'for (const all = []; ; ) all.push(new Array(10_000).fill(all.length));',
    { name: 'ThreadError', message: 'it needed more than 64 MB of memory' },
  ],
  ["throw new Error('broken');", { name: 'ThreadError', message: 'broken' }],
  ['process.exit(0);', { name: 'ThreadError', message: 'it ended without a result' }],
  ["throw new Refusal('not that');", { name: 'ThreadRefusal', message: 'not that' }],
])('the one who asks learns how a thread ends: %s', async (work, end) => {
  // A thread of a tenant gives way: on a busy machine two seconds are not enough to fill its memory.
  const timeoutMs = work === 'for (;;);' ? 2_000 : 30_000;
  const task = { request: null, heapMegabytes: 64, timeoutMs };
  const error: unknown = await runInThread({ ...task, module: moduleOf(`() => { ${work} }`) }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject(end);
});

test('a thread is ended when nobody wants its answer any more, and not begun for one that has left', async () => {
  const leaving = new AbortController();
  const module = moduleOf(`() => { for (;;); }`);
  const task = { module, request: null, heapMegabytes: 64, timeoutMs: 60_000, signal: leaving.signal };
  const running = runInThread(task);
  leaving.abort(new Error('left'));
  await expect(running).rejects.toThrow('left');
  await expect(runInThread(task)).rejects.toThrow('left');
});

test('a thread that reads texts of strangers sees nothing of the environment of the server', async () => {
  vi.stubEnv('CANNERY_SECRET', 'the key');
  onTestFinished(() => void vi.unstubAllEnvs());
  const task = { request: null, heapMegabytes: 64, timeoutMs: 10_000 };
  const names = await runInThread<string[]>({ ...task, module: moduleOf('() => Object.keys(process.env)') });
  expect(names.filter((name) => name !== 'NODE_COMPILE_CACHE')).toEqual([]);
});
