import { expect, test } from 'vitest';
import { free, handOver, LARGE_REPLY_BYTES } from './hand-over.ts';

test('what fills its buffer changes hands as it is, and a part of one as a copy', () => {
  const whole = new Uint8Array(10);
  expect(handOver(whole)).toBe(whole);
  const copy = handOver(whole.subarray(2, 5));
  expect([copy.length, copy.buffer.byteLength]).toEqual([3, 3]);
});

test('the memory of a large reply is given back at once, also by its body, and again without harm', () => {
  const reply = new Uint8Array(LARGE_REPLY_BYTES + 100);
  const body = reply.subarray(50, 51 + LARGE_REPLY_BYTES);
  free(body);
  expect([reply.length, body.length]).toEqual([0, 0]);
  free(body);
  free(reply);
});

test('a small reply keeps its memory: others may be in the same buffer', () => {
  const batch = new Uint8Array(2 * LARGE_REPLY_BYTES).fill(7);
  free(batch.subarray(0, LARGE_REPLY_BYTES));
  expect(batch.at(-1)).toBe(7);
});
