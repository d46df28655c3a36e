import { describe, expect, test } from 'vitest';
import { TestClient } from '../engine-client.ts';
import { GROWER_WAT } from '../canisters/heavy-canisters.ts';
import { COUNTER_WAT } from '../canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const MIB = 1024 * 1024;
const PAGES_OF_A_MIB = 16;

const pages = (count: number): Uint8Array => {
  const argument = new Uint8Array(4);
  new DataView(argument.buffer).setInt32(0, count, true);
  return argument;
};
const i32 = (reply: Uint8Array): number => Buffer.from(reply).readInt32LE();

describe('memory of canisters', () => {
  test('one canister does not grow beyond the cap, nor is installed beyond it', async () => {
    await using client = await TestClient.start({ canisterBytes: 4 * MIB });
    const grower = await client.deploy(wat(GROWER_WAT));
    expect(i32(await client.update(grower, 'grow', pages(3 * PAGES_OF_A_MIB)))).toBe(1);
    expect(i32(await client.update(grower, 'grow', pages(PAGES_OF_A_MIB)))).toBe(-1);
    expect(i32(await client.update(grower, 'grow', pages(PAGES_OF_A_MIB - 1)))).toBe(3 * PAGES_OF_A_MIB + 1);
    const large = wat(`(module (memory ${4 * PAGES_OF_A_MIB + 1}))`);
    await expect(client.deploy(large)).rejects.toMatchObject({ code: 'IC0507' });
  });

  test('all canisters together do not grow beyond the budget, and those that want no more go on', async () => {
    await using client = await TestClient.start({ memoryBytes: 16 * MIB, loadedBytes: 16 * MIB });
    const module = wat(GROWER_WAT);
    const growers = await Promise.all([client.deploy(module), client.deploy(module), client.deploy(module)]);
    const counter = await client.deploy(wat(COUNTER_WAT));
    const grown: number[] = [];
    for (const grower of growers)
      grown.push(i32(await client.update(grower, 'grow', pages(6 * PAGES_OF_A_MIB))));
    expect(grown).toEqual([1, 1, -1]);
    expect(Buffer.from(await client.update(counter, 'inc')).readBigUInt64LE()).toBe(1n);
    for (const grower of growers) expect(await client.query(grower, 'ok')).toEqual(new Uint8Array(0));
  });

  test('the budget holds for what runs in another thread', { timeout: 30_000 }, async () => {
    await using client = await TestClient.start({
      memoryBytes: 16 * MIB,
      loadedBytes: 16 * MIB,
      heavy: { messageSlice: 1_000n, querySlice: 1_000n },
    });
    const grower = await client.deploy(wat(GROWER_WAT));
    expect(i32(await client.update(grower, 'grow', pages(15 * PAGES_OF_A_MIB)))).toBe(-1);
    expect(i32(await client.update(grower, 'grow', pages(4 * PAGES_OF_A_MIB)))).toBe(1);
    expect(await client.query(grower, 'ok')).toEqual(new Uint8Array(0));
  });
});
