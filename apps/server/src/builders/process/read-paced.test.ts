import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readPaced } from './read-paced.ts';

/** Work on the main thread for some milliseconds. */
function busy(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test('all bytes arrive in order, whatever the pace', async () => {
  const chunks = Array.from({ length: 50 }, (_, n) => Buffer.alloc(10_000, n));
  const got: Buffer[] = [];
  await readPaced(Readable.from(chunks), (bytes) => {
    got.push(Buffer.from(bytes));
    if (got.length % 10 === 0) busy(3);
  });
  expect(Buffer.concat(got).equals(Buffer.concat(chunks))).toBe(true);
});

test('a flood takes no more than its share of the main thread', async () => {
  let work = 0;
  const start = performance.now();
  await readPaced(Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(64 * 1024))), () => {
    busy(1);
    work += 1;
  });
  expect(work).toBe(160);
  // 160 ms of work, at 4 ms or a little more in each window.
  expect(performance.now() - start).toBeGreaterThan(500);
});

test('a stream that breaks ends the reading', async () => {
  const stream = new Readable({ read() {} });
  stream.push('a');
  const got: string[] = [];
  const reading = readPaced(stream, (bytes) => {
    got.push(bytes.toString());
    stream.destroy(new Error('gone'));
  });
  await expect(reading).resolves.toBeUndefined();
  expect(got).toEqual(['a']);
});
