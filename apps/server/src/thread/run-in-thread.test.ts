import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { LOW_PRIORITY } from '../fairness/step-back.ts';
import { runInThread } from './run-in-thread.ts';

/** A worker's module that serves the given work. */
function moduleOf(work: string): URL {
  const serving = new URL('./serve-thread.ts', import.meta.url).href;
  const text = `import { getPriority } from 'node:os'; import { serve } from '${serving}'; await serve(${work}, []);`;
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
