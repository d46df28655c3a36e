import { expect, test } from 'vitest';
import { LastingThread } from './lasting-thread.ts';

/** A thread that does the given work, a function of the request as text of a program. */
function threadOf(work: string, timeoutMs = 60_000): LastingThread {
  const serving = new URL('./serve-requests.ts', import.meta.url).href;
  const text = `import { threadId } from 'node:worker_threads'; import { serveRequests } from '${serving}';
    class Refusal extends Error {} serveRequests(${work}, [Refusal]);`;
  const module = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
  return new LastingThread({ module, heapMegabytes: 64, timeoutMs });
}

const WORK = `(request, note) => {
  if (request === 'refuse') throw new Refusal('not that');
  if (request === 'break') throw new Error('broken');
  if (request === 'loop') for (note('begun'); ; );
  if (request === 'fill') for (const all = []; ; ) all.push(new Array(10_000).fill(all.length));
  return threadId;
}`;

test('one thread does one piece of work after the other, and goes on after one that it refuses', async () => {
  const thread = threadOf(WORK);
  const refused = thread.ask('refuse').catch((error: unknown) => error);
  const [first, refusal, second] = await Promise.all([thread.ask('id'), refused, thread.ask('id')]);
  expect(refusal).toMatchObject({ name: 'ThreadRefusal', message: 'not that' });
  expect(second).toBe(first);
});

test.each([
  ['breaks', 'break', { name: 'ThreadError', message: 'broken' }],
  ['takes too much memory', 'fill', { name: 'ThreadError', message: 'it needed more than 64 MB of memory' }],
])('a thread that %s is ended, and another one does the work that waits', async (_what, request, error) => {
  const thread = threadOf(WORK);
  const first = await thread.ask('id');
  const failed = thread.ask(request).catch((reason: unknown) => reason);
  const next = thread.ask('id');
  expect(await failed).toMatchObject(error);
  expect(await next).toBeTypeOf('number');
  expect(await next).not.toBe(first);
});

test('a thread that does not come to an end is ended in time, or when nobody wants its answer any more', async () => {
  const thread = threadOf(WORK, 3_000);
  const first = await thread.ask('id');
  await expect(thread.ask('loop')).rejects.toMatchObject({
    name: 'ThreadError',
    message: 'it took longer than 3 s',
  });
  const second = await thread.ask('id');
  expect(second).not.toBe(first);
  const leaving = new AbortController();
  const onNote = (): void => leaving.abort(new Error('left'));
  const asked = thread.ask('loop', { signal: leaving.signal, onNote });
  await expect(asked).rejects.toThrow('left');
  expect(await thread.ask('id')).not.toBe(second);
});
