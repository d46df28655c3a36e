import { getPriority } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { LOW_PRIORITY } from '../fairness/step-back.ts';
import { runInThread } from './run-in-thread.ts';

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
