import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cbor } from '@icp-sdk/core/agent';
import type { Principal } from '@icp-sdk/core/principal';
import { encode } from 'cborg';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
