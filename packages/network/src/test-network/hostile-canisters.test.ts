import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { wat } from '@cannery/wasm/text-format';
import type { Principal } from '@icp-sdk/core/principal';
import { expect, test } from 'vitest';
import { keptBytes } from '../../test/free-memory.ts';
import { CallRejectedError, NetworkEndedError, TestNetwork } from './test-network.ts';

const MONTH_MILLIS = 30 * 24 * 3_600_000;
const LIMIT_BYTES = 256 * 1024 ** 2;

/** Loops, takes all memory there is, or asks to be woken a nanosecond later for ever. */
const HOSTILE = wat(`(module
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "global_timer_set" (func $wake (param i64) (result i64)))
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (memory 1)
  (func $later (drop (call $wake (i64.add (call $time) (i64.const 1)))))
  (func (export "canister_update loop") (loop $again (br $again)))
  (func (export "canister_query ask") (loop $again (br $again)))
  (func (export "canister_update grow")
    (loop $more
      (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
    (i32.store (i32.const 8) (memory.size))
    (call $append (i32.const 8) (i32.const 4))
    (call $reply))
  (func (export "canister_update start") (call $later) (call $reply))
  (func (export "canister_global_timer")
    (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
    (call $later))
  (func (export "canister_query fired") (call $append (i32.const 0) (i32.const 4)) (call $reply)))`);

const asNumber = (reply: Uint8Array): number => Buffer.from(reply).readUInt32LE();

const folders = (): string[] =>
  readdirSync('/dev/shm').filter((name) => name.startsWith(`cannery-test-network-${process.pid}-`));
const descriptors = (): number => readdirSync('/proc/self/fd').length;
const threads = (): number => readdirSync('/proc/self/task').length;

async function install(network: TestNetwork): Promise<Principal> {
  const id = await network.createCanister();
  await network.install(id, HOSTILE);
  return id;
}

test('a canister that loops for ever ends at its limit, and the thread of the test goes on meanwhile', async () => {
  const instructionLimits = { update: 400_000_000n, query: 100_000_000n };
  await using network = await TestNetwork.open({ instructionLimits });
  const id = await install(network);
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 10);
  const error = await network.update(id, 'loop').catch((each: unknown) => each);
  clearInterval(ticking);
  expect(error).toBeInstanceOf(CallRejectedError);
  expect(error).toMatchObject({ method: 'loop', errorCode: 'IC0522' });
  expect(turns).toBeGreaterThan(3);
  await expect(network.query(id, 'ask')).rejects.toMatchObject({ errorCode: 'IC0522' });
  expect(asNumber(await network.query(id, 'fired'))).toBe(0);
});

test.skipIf(process.platform !== 'linux')('a network closes while a canister loops', async () => {
  const before = threads();
  const network = await TestNetwork.open();
  const id = await install(network);
  const looping = network.update(id, 'loop');
  const ended = expect(looping).rejects.toThrow(NetworkEndedError);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(threads()).toBeGreaterThan(before);
  await network.close();
  await ended;
  await expect.poll(threads).toBeLessThanOrEqual(before);
});

test('a canister gets as much memory as the network has for it, and the network goes on', async () => {
  await using network = await TestNetwork.open({ memoryBytes: LIMIT_BYTES });
  const id = await install(network);
  const pages = asNumber(await network.update(id, 'grow'));
  expect(pages).toBeGreaterThan(100);
  expect(pages * 65_536).toBeLessThanOrEqual(LIMIT_BYTES);
  expect(asNumber(await network.query(id, 'fired'))).toBe(0);
});

test('a timer for each nanosecond fires once in a month that passes at once', async () => {
  await using network = await TestNetwork.open();
  const id = await install(network);
  await network.update(id, 'start');
  const before = asNumber(await network.query(id, 'fired'));
  await network.advance(MONTH_MILLIS);
  expect(asNumber(await network.query(id, 'fired'))).toBe(before + 1);
  await network.advance(10_000, { step: 1_000 });
  expect(asNumber(await network.query(id, 'fired'))).toBe(before + 11);
});

async function runOne(): Promise<void> {
  await using network = await TestNetwork.open();
  await network.update(await install(network), 'start');
}

test.skipIf(process.platform !== 'linux')('networks leave nothing behind', async () => {
  for (let warm = 0; warm < 5; warm++) await runOne();
  const isMine = new Set(folders());
  const before = { descriptors: descriptors(), threads: threads(), listeners: process.listenerCount('exit') };
  const memory = await keptBytes();
  for (let run = 0; run < 50; run++) await runOne();
  expect((await keptBytes()) - memory).toBeLessThan(20 * 1024 ** 2);
  // Threads of other tests of this process may end meanwhile; none may be more.
  expect(descriptors()).toBeLessThanOrEqual(before.descriptors);
  expect(threads()).toBeLessThanOrEqual(before.threads);
  expect(process.listenerCount('exit')).toBe(before.listeners);
  const left = folders().filter((name) => !isMine.has(name));
  expect(left).toEqual([]);
});

const FORGETFUL = `
const { TestNetwork } = await import(${JSON.stringify(new URL('./test-network.ts', import.meta.url).href)});
const network = await TestNetwork.open();
await network.createCanister();
console.log(process.pid);
`;

test.skipIf(process.platform !== 'linux')('a network that nobody closes goes with its process', () => {
  const program = ['--input-type=module', '--eval', FORGETFUL];
  const pid = execFileSync(process.execPath, program, { encoding: 'utf8', timeout: 60_000 }).trim();
  expect(Number(pid)).toBeGreaterThan(0);
  const left = readdirSync('/dev/shm').filter((name) => name.startsWith(`cannery-test-network-${pid}-`));
  expect(left).toEqual([]);
});
