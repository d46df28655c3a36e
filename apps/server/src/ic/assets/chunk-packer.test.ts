import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ChunkPacker, MAX_MESSAGE_CHUNKS, MAX_MESSAGE_CONTENT } from './chunk-packer.ts';

/** A canister that numbers chunks as it gets them and keeps them. */
function receiver() {
  const messages: number[] = [];
  const chunks = new Map<bigint, Uint8Array>();
  const state = { underWay: 0, most: 0 };
  const send = async (contents: readonly Uint8Array[]): Promise<bigint[]> => {
    state.most = Math.max(state.most, ++state.underWay);
    messages.push(contents.reduce((sum, { length }) => sum + length, 0));
    await delay(1);
    state.underWay--;
    return contents.map((content) => {
      const id = BigInt(chunks.size);
      chunks.set(id, content);
      return id;
    });
  };
  return { messages, chunks, state, send };
}

test('small bodies share messages, large ones are cut, and ids stay with their bodies', async () => {
  const { messages, chunks, state, send } = receiver();
  const packer = new ChunkPacker(send, 2);
  const bodies = [0, 10, 700_000, 700_000, 700_000, 5_000_000, 3, MAX_MESSAGE_CONTENT].map((size, index) =>
    new Uint8Array(size).fill(index),
  );
  const ids: bigint[][] = [];
  for (const body of bodies) ids.push(await packer.add(body));
  await packer.finish();
  for (const [index, body] of bodies.entries()) {
    const parts = (ids[index] ?? []).map((id) => chunks.get(id) ?? new Uint8Array());
    expect(Buffer.compare(Buffer.concat(parts), body)).toBe(0);
    expect(parts.length).toBeGreaterThan(0);
  }
  expect(messages.every((size) => size <= MAX_MESSAGE_CONTENT)).toBe(true);
  expect(messages.length).toBeLessThanOrEqual(7);
  expect(state.most).toBe(2);
});

test('a message has a bounded number of chunks, however small they are', async () => {
  const { chunks, send } = receiver();
  const sent: number[] = [];
  const packer = new ChunkPacker((contents) => {
    sent.push(contents.length);
    return send(contents);
  }, 2);
  for (let body = 0; body < 2 * MAX_MESSAGE_CHUNKS + 1; body += 1) await packer.add(Uint8Array.of(1));
  await packer.finish();
  expect(sent).toEqual([MAX_MESSAGE_CHUNKS, MAX_MESSAGE_CHUNKS, 1]);
  expect(chunks.size).toBe(2 * MAX_MESSAGE_CHUNKS + 1);
});

test('a failed message fails the upload', async () => {
  const packer = new ChunkPacker(() => Promise.reject(new Error('refused')), 1);
  await packer.add(new Uint8Array(1));
  await expect(packer.finish()).rejects.toThrow('refused');
});
