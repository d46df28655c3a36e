import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { principal, TestClient } from '../engine-client.ts';
import { wat } from '../../../wasm/test/wasm.ts';

/** Stable memory by the word: the argument is an offset (or a number of pages), and a word to write there. */
const STABLE_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))
  (memory 1)
  (func $take (call $arg (i32.const 0) (i32.const 0) (call $size)))
  (func $answer (call $append (i32.const 8) (i32.const 8)) (call $reply))
  (func (export "canister_update grow")
    (call $take) (i64.store (i32.const 8) (call $grow (i64.load (i32.const 0)))) (call $answer))
  (func (export "canister_update set")
    (call $take) (call $stable_write (i64.load (i32.const 0)) (i64.const 8) (i64.const 8)) (call $answer))
  (func (export "canister_query get")
    (call $take) (call $stable_read (i64.const 8) (i64.load (i32.const 0)) (i64.const 8)) (call $answer)))`;

const GIB = 1024n ** 3n;
const MOST_PAGES = 8_192_000n;
/** Offsets of words at the start, in the middle and at the very end of 500 GiB. */
const END = 500n * GIB - 8n;
const MIDDLE = 250n * GIB;

const words = (...values: bigint[]): Uint8Array => new Uint8Array(BigInt64Array.from(values).buffer);
const wordOf = (reply: Uint8Array): bigint => new DataView(reply.slice().buffer).getBigInt64(0, true);

let client: TestClient;
let canister: Uint8Array;
beforeAll(async () => {
  client = await TestClient.start();
  const settings = { reserved_cycles_limit: 10n ** 20n };
  canister = await client.create({ cycles: 10n ** 20n, settings });
  await client.install(canister, wat(STABLE_WAT));
});
afterAll(() => client[Symbol.asyncDispose]());

const call = async (method: string, ...args: bigint[]): Promise<bigint> =>
  wordOf(await client.update(canister, method, words(...args)));
const get = async (offset: bigint): Promise<bigint> =>
  wordOf(await client.query(canister, 'get', words(offset)));
const seen = async (): Promise<bigint[]> => [await get(0n), await get(MIDDLE), await get(END)];

/** What the page files take on the disk, in bytes. */
function bytesOnDisk(): number {
  const directory = join(client.configuration.dataDir, 'pages');
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).blocks * 512, 0);
}

test('stable memory reaches 500 GiB, kept by upgrades, snapshots and restarts, without taking that room', {
  timeout: 120_000,
}, async () => {
  const rssBefore = process.memoryUsage().rss;
  expect(await call('grow', MOST_PAGES)).toBe(0n);
  expect(await call('grow', 1n), 'beyond 500 GiB').toBe(-1n);
  await call('set', 0n, 1n);
  await call('set', END, 3n);
  expect(await seen()).toEqual([1n, 0n, 3n]);
  await expect(get(END + 1n)).rejects.toThrow('out of bounds');
  expect(await client.status(canister)).toMatchObject({
    memory_metrics: { stable_memory_size: 500n * GIB },
  });

  await client.restart();
  expect(await seen(), 'after a restart').toEqual([1n, 0n, 3n]);
  await client.install(canister, wat(STABLE_WAT), { mode: { upgrade: [] } });
  expect(await seen(), 'after an upgrade').toEqual([1n, 0n, 3n]);

  const target = { canister_id: principal(canister) };
  const { id } = (await client.management('take_canister_snapshot', target)) as { id: Uint8Array };
  await call('set', MIDDLE, 5n);
  await call('set', END, 6n);
  await client.restart();
  expect(await seen()).toEqual([1n, 5n, 6n]);
  await client.management('load_canister_snapshot', { ...target, snapshot_id: id });
  expect(await seen(), 'after loading the snapshot').toEqual([1n, 0n, 3n]);
  await client.restart();
  expect(await seen(), 'and after a restart').toEqual([1n, 0n, 3n]);

  const grown = process.memoryUsage().rss - rssBefore;
  console.info(`500 GiB: ${Math.round(grown / 1e6)} MB of memory more, ${bytesOnDisk()} bytes on disk`);
  expect(grown).toBeLessThan(300e6);
  expect(bytesOnDisk()).toBeLessThan(4e6);
});
