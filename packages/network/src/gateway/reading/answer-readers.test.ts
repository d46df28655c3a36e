import { afterEach, expect, test } from 'vitest';
import { AnswerReaders } from './answer-readers.ts';
import type { Reading } from './read-answer.ts';
import { READER } from './reader-thread.ts';
import { page } from '../../../test/hostile/hostile-pages.ts';

/** A thread that does what an answer makes it do: its reader, for the length of this test, has no bounds. */
const worker = (work: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ reply }) => {
        const size = reply.length;
        ${work}
        parentPort.postMessage({ kind: 'read', reading: { response: { size } }, heapBytes: globalThis.heapBytes ?? 0 });
      });
      parentPort.postMessage({ kind: 'ready' });`)}`,
  );
const LARGE = 100_000;
const BAD = LARGE + 1;
const reply = (size: number): { kind: 'page'; reply: Uint8Array } => ({
  kind: 'page',
  reply: new Uint8Array(size),
});

let readers: AnswerReaders;
afterEach(() => readers.close());

const read = (canister: string, size: number): Promise<Reading<'page'>> =>
  readers.read<'page'>(canister, reply(size));

test('an answer that takes too long ends its thread and its own request, and the next gets a new thread', async () => {
  readers = new AnswerReaders({
    ...READER,
    answerMillis: 300,
    module: worker(`if (size === ${BAD}) for (;;);`),
  });
  const bad = read('a', BAD);
  const after = read('a', LARGE);
  const other = read('b', LARGE);
  expect(await other).toEqual({ response: { size: LARGE } });
  await expect(bad).rejects.toThrow('it takes too long to read');
  expect(await after).toEqual({ response: { size: LARGE } });
});

test('an answer that takes too much memory ends its thread and its own request', async () => {
  const fill = `if (size === ${BAD}) for (const all = []; ; ) all.push({ size, place: [all.length] });`;
  readers = new AnswerReaders({ ...READER, answerMillis: 60_000, module: worker(fill) });
  const bad = read('a', BAD);
  const other = read('b', LARGE);
  expect(await other).toEqual({ response: { size: LARGE } });
  await expect(bad).rejects.toThrow('it takes too much memory to read');
  expect(await read('a', LARGE)).toEqual({ response: { size: LARGE } });
});

test('a thread that an answer has made grow is not kept, and the next answer gets a new one', async () => {
  const count = `globalThis.answers = (globalThis.answers ?? 0) + 1;
    if (size === ${BAD}) globalThis.heapBytes = 60_000_000;
    parentPort.postMessage({ kind: 'read', reading: { response: { size: globalThis.answers } }, heapBytes: globalThis.heapBytes ?? 0 }); return;`;
  readers = new AnswerReaders({ ...READER, module: worker(count) });
  const sizes: unknown[] = [];
  for (const size of [LARGE, BAD, LARGE]) sizes.push(await read('a', size));
  expect(sizes).toEqual([1, 2, 1].map((size) => ({ response: { size } })));
});

test('a canister has one thread, and others come before its next answer', async () => {
  const order: string[] = [];
  readers = new AnswerReaders({
    ...READER,
    module: worker('for (const end = Date.now() + 50; Date.now() < end; );'),
  });
  const note = async (name: string): Promise<void> => {
    await read(name.slice(0, 1), LARGE);
    order.push(name);
  };
  await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map(note));
  expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a2'));
  expect(order.indexOf('c1')).toBeLessThan(order.indexOf('a3'));
});

test('no more answers wait than there is room for, and closing ends them', async () => {
  readers = new AnswerReaders({ ...READER, module: worker('for (;;);') });
  const all = Array.from({ length: 80 }, () => read('a', LARGE).catch((error: Error) => error.message));
  expect(await all[79]).toBe('too many answers wait to be read');
  await readers.close();
  expect(new Set(await Promise.all(all))).toContain('the network is closing');
});

test('small answers need no thread', async () => {
  readers = new AnswerReaders({ ...READER, module: worker('throw new Error("asked");') });
  const small = await readers.read<'page'>('a', { kind: 'page', reply: page([['a', 'b']]) });
  expect(small.response.headers).toEqual([['a', 'b']]);
});

test('a page keeps no more than its bytes, however large the buffer it came in', async () => {
  readers = new AnswerReaders();
  const small = page([], Buffer.from('hello'));
  const buffer = new Uint8Array(10_000_000);
  buffer.set(small, 5_000_000);
  const answer = { kind: 'page', reply: buffer.subarray(5_000_000, 5_000_000 + small.length) } as const;
  const { response } = await readers.read<'page'>('a', answer);
  expect(Buffer.from(response.body).toString()).toBe('hello');
  expect(response.body.buffer.byteLength).toBe(small.length);
});
