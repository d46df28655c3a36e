import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cbor, Certificate, type HttpAgent, LookupPathStatus } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import { encode } from 'cborg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connect, deploy } from '../test/agent.ts';
import { NetworkProcess } from '../test/network-process.ts';
import { wat } from '../../wasm/test/wasm.ts';

const HOUR_MS = 3_600_000;
/** Counts its calls. */
const COUNTER = `(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (memory 1)
  (func (export "canister_query count") (call $append (i32.const 0) (i32.const 1)) (call $reply))
  (func (export "canister_update inc")
    (i32.store8 (i32.const 0) (i32.add (i32.load8_u (i32.const 0)) (i32.const 1)))
    (call $reply)))`;

/** A timer that sets itself again, a tenth of a second later, and counts; a canister that says the time. */
const TICKER = `(module
  (import "ic0" "global_timer_set" (func $set (param i64) (result i64)))
  (import "ic0" "time" (func $time (result i64)))
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (memory 1)
  (func $again (drop (call $set (i64.add (call $time) (i64.const 100000000)))))
  (func (export "canister_init") (call $again))
  (func (export "canister_global_timer")
    (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1)))
    (call $again))
  (func (export "canister_query ticks") (call $append (i32.const 0) (i32.const 8)) (call $reply))
  (func (export "canister_query time")
    (i64.store (i32.const 8) (call $time)) (call $append (i32.const 8) (i32.const 8)) (call $reply)))`;

let folder: string;
let before: string | undefined;
let running: (NetworkProcess & { url: string })[];

/** Every thread of a network that is started now has a clock that the test sets. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cannery-clock-'));
  running = [];
  setClock(0);
  const hook = join(folder, 'clock.mjs');
  writeFileSync(
    hook,
    `import { readFileSync } from 'node:fs';
     const real = Date.now;
     let by = 0;
     let readAt = 0;
     Date.now = () => {
       if (real() - readAt > 20) {
         readAt = real();
         by = Number(readFileSync(${JSON.stringify(join(folder, 'by'))}, 'utf8')) || 0;
       }
       return real() + by;
     };`,
  );
  before = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = `${before ?? ''} --import=${hook}`;
});
afterEach(async () => {
  if (before === undefined) delete process.env['NODE_OPTIONS'];
  else process.env['NODE_OPTIONS'] = before;
  for (const network of running) await network.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** By how many milliseconds the clock of the network's machine is wrong from now on. */
function setClock(by: number): void {
  writeFileSync(join(folder, 'by'), String(by));
}

async function start(): Promise<NetworkProcess & { url: string }> {
  const network = await NetworkProcess.start(join(folder, 'network'));
  running.push(network);
  return network;
}

type Content = Record<string, unknown>;

async function post(
  url: string,
  canister: Principal,
  content: Content,
): Promise<{ status: number; body: Uint8Array }> {
  const response = await fetch(`${url}/api/v3/canister/${canister}/${content['request_type']}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cbor' },
    body: encode({ content }),
  });
  return { status: response.status, body: await response.bytes() };
}

/** A call as somebody sends it whose clock is wrong by this many milliseconds. */
const call = (canister: Principal, by = 0, ttl = 240_000): Content => ({
  request_type: 'call',
  canister_id: canister.toUint8Array(),
  method_name: 'inc',
  arg: new Uint8Array(),
  sender: Uint8Array.of(4),
  ingress_expiry: BigInt(Date.now() + by + ttl) * 1_000_000n,
  nonce: crypto.getRandomValues(new Uint8Array(16)),
});

async function update(url: string, canister: Principal, content: Content): Promise<string> {
  const { status, body } = await post(url, canister, content);
  return status === 200 ? Cbor.decode<{ status: string }>(body).status : `${status} ${Buffer.from(body)}`;
}

/** The number of 64 bits that a query method answers. */
async function number(url: string, canister: Principal, method: string): Promise<bigint> {
  const { body } = await post(url, canister, {
    ...call(canister),
    request_type: 'query',
    method_name: method,
  });
  const arg = Cbor.decode<{ reply?: { arg: Uint8Array } }>(body).reply?.arg;
  if (!arg) throw new Error(`no number: ${Buffer.from(body)}`);
  return Buffer.from(arg).readBigUInt64LE();
}

/** The time of a certificate, which the thread that serves HTTP gives. */
async function certifiedTime(agent: HttpAgent, canister: Principal): Promise<bigint> {
  const paths = [[new TextEncoder().encode('time')]];
  const { certificate } = await agent.readState({ canisterId: canister }, { paths });
  const read = await Certificate.create({
    certificate,
    rootKey: agent.rootKey ?? new Uint8Array(),
    principal: { canisterId: canister },
    disableTimeVerification: true,
  });
  const found = read.lookup_path(['time']);
  if (found.status !== LookupPathStatus.Found) throw new Error('a certificate without a time');
  return [...found.value].reduceRight((value, byte) => (value << 7n) | BigInt(byte & 0x7f), 0n);
}

async function count(url: string, canister: Principal): Promise<number | undefined> {
  const { body } = await post(url, canister, {
    ...call(canister),
    request_type: 'query',
    method_name: 'count',
  });
  return Cbor.decode<{ reply?: { arg: Uint8Array } }>(body).reply?.arg[0];
}

async function aheadSeconds(url: string): Promise<number> {
  const body = await (await fetch(`${url}/api/v2/status`)).bytes();
  return Number(Cbor.decode<{ clock_ahead_seconds?: number }>(body).clock_ahead_seconds ?? 0);
}

test('after the clock has jumped ahead and back updates work at once, also over a restart, and nothing runs twice', {
  timeout: 120_000,
}, async () => {
  let network = await start();
  const canister = await deploy(await connect(network.url), wat(COUNTER));
  const first = call(canister);
  expect(await update(network.url, canister, first)).toBe('replied');

  setClock(48 * HOUR_MS);
  const inTheJump = call(canister, 48 * HOUR_MS);
  await expect.poll(() => update(network.url, canister, inTheJump)).toBe('replied');

  setClock(0);
  // Somebody with the right time, somebody who follows the network's time, and nobody else.
  await expect.poll(() => update(network.url, canister, call(canister))).toBe('replied');
  expect(await update(network.url, canister, call(canister, 48 * HOUR_MS))).toBe('replied');
  expect(await update(network.url, canister, call(canister, 49 * HOUR_MS))).toContain('400 Invalid request');
  expect(await update(network.url, canister, call(canister, 0, -60_000))).toContain('400 Invalid request');
  expect(await aheadSeconds(network.url)).toBeGreaterThan(40 * 3600);
  await expect.poll(() => network.errors).toContain('goes on from its last time');
  // What was carried out before is not again.
  for (const content of [first, inTheJump])
    expect(await update(network.url, canister, content)).toBe('replied');
  const done = await count(network.url, canister);
  expect(done).toBe(4);

  await network.end('SIGTERM');
  network = await start();
  expect(await update(network.url, canister, call(canister))).toBe('replied');
  for (const content of [first, inTheJump])
    expect(await update(network.url, canister, content)).toBe('replied');
  expect(await count(network.url, canister)).toBe(5);
  expect(await aheadSeconds(network.url)).toBeGreaterThan(40 * 3600);
  // An agent with all its checks takes the network's certificates.
  await deploy(await connect(network.url), wat(COUNTER));
});

test.for([
  ['five hours', 5, 'SIGTERM'],
  ['nine days', 9 * 24, 'SIGKILL'],
] as const)(
  'with a clock that is %s earlier than before a restart everything works at once',
  {
    timeout: 120_000,
  },
  async ([_by, hours, signal]) => {
    // The machine had a wrong clock when the network was made, and has the right one since.
    setClock(hours * HOUR_MS);
    let network = await start();
    const made = await wrongly(hours * HOUR_MS, async () => {
      const agent = await connect(network.url);
      return { counter: await deploy(agent, wat(COUNTER)), ticker: await deploy(agent, wat(TICKER)) };
    });
    await expect.poll(() => number(network.url, made.ticker, 'ticks')).toBeGreaterThan(2n);
    const before = await number(network.url, made.ticker, 'time');
    await network.end(signal);

    setClock(0);
    network = await start();
    // Nothing waits for the clock to catch up: a call takes as long as ever.
    const begun = performance.now();
    expect(await update(network.url, made.counter, call(made.counter))).toBe('replied');
    expect(performance.now() - begun).toBeLessThan(5_000);

    // Both threads go by one time, which has not run back.
    const agent = await connect(network.url);
    const [executed, certified] = [[before], [before]];
    for (let turn = 0; turn < 5; turn++) {
      executed.push(await number(network.url, made.ticker, 'time'));
      // A certificate is of a state a moment ago.
      certified.push(await certifiedTime(agent, made.ticker));
      await update(network.url, made.counter, call(made.counter));
    }
    for (const times of [executed, certified])
      expect(times).toEqual(times.toSorted((x, y) => (x < y ? -1 : Number(x > y))));
    for (const [at, time] of executed.entries()) {
      const apart = Number(time - (certified[at] ?? 0n)) / 1e9;
      expect(Math.abs(apart)).toBeLessThan(5);
    }
    expect(Number((executed.at(-1) ?? 0n) - before) / 1e9).toBeLessThan(90);

    // Timers that were set before go off, and those of a canister that a new agent makes.
    const ticks = await number(network.url, made.ticker, 'ticks');
    await expect.poll(() => number(network.url, made.ticker, 'ticks')).toBeGreaterThan(ticks + 2n);
    const fresh = await deploy(agent, wat(TICKER));
    await expect.poll(() => number(network.url, fresh, 'ticks')).toBeGreaterThan(2n);
  },
);

test('a clock that jumps back and ahead while the network runs stops no timer', {
  timeout: 120_000,
}, async () => {
  const network = await start();
  const ticker = await deploy(await connect(network.url), wat(TICKER));
  for (const hours of [-30, 0, 30, 0]) {
    setClock(hours * HOUR_MS);
    const before = await number(network.url, ticker, 'time');
    const ticks = await number(network.url, ticker, 'ticks');
    await expect.poll(() => number(network.url, ticker, 'ticks')).toBeGreaterThan(ticks + 2n);
    expect(await number(network.url, ticker, 'time')).toBeGreaterThan(before);
  }
  const agent = await connect(network.url);
  const fresh = await deploy(agent, wat(TICKER));
  await expect.poll(() => number(network.url, fresh, 'ticks')).toBeGreaterThan(2n);
});

/** Does something with a clock of this process that is wrong by this many milliseconds. */
async function wrongly<T>(by: number, action: () => Promise<T>): Promise<T> {
  // It stands still meanwhile, which is shorter than what an agent allows.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
  try {
    return await action();
  } finally {
    vi.useRealTimers();
  }
}
