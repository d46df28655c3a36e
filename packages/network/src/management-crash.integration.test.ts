import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, deploy } from '../test/agent.ts';
import { encodeManagement } from '@cannery/replica/test-client';
import { type Management, managementActor } from '../test/management-actor.ts';
import { NetworkProcess } from '../test/network-process.ts';
import { PROXY_WAT, proxyRequest } from '../../replica/test/canisters/proxy-canister.ts';
import { COUNTER_WAT } from '../../replica/test/canisters/text-canisters.ts';
import { wat } from '../../wasm/test/wasm.ts';
import { WebServer } from '../../replica/test/web-server.ts';

const EMPTY = new Uint8Array(IDL.encode([], []));
const PIECE = 40_000n;

let dataDir: string;
let running: NetworkProcess & { url: string };
const identity = Ed25519KeyIdentity.generate();

async function start(): Promise<{
  agent: Awaited<ReturnType<typeof connect>>;
  ic: Management;
}> {
  running = await NetworkProcess.start(dataDir, '--http-outcalls', 'https-and-loopback');
  const agent = await connect(running.url, identity);
  return { agent, ic: managementActor(agent) };
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cannery-management-'));
});
afterEach(async () => {
  await running.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test('a snapshot moves to another canister although the network is killed at every step', async () => {
  let { agent, ic } = await start();
  const restart = async (): Promise<void> => {
    await running.end('SIGKILL');
    ({ agent, ic } = await start());
  };
  const source = await deploy(agent, wat(COUNTER_WAT));
  for (let n = 0; n < 3; n++) await agent.update(source, { methodName: 'inc', arg: EMPTY });
  const taken = (await ic('take_canister_snapshot', {
    canister_id: source,
    replace_snapshot: [],
    uninstall_code: [],
    sender_canister_version: [],
  })) as { id: Uint8Array };
  await restart();
  await agent.update(source, { methodName: 'inc', arg: EMPTY });
  const name = { canister_id: source, snapshot_id: taken.id };
  const meta = (await ic('read_canister_snapshot_metadata', name)) as Record<
    'wasm_module_size' | 'wasm_memory_size',
    bigint
  >;
  const { canister_id: copy } = (await ic('provisional_create_canister_with_cycles', {
    amount: [],
    settings: [],
    specified_id: [],
    sender_canister_version: [],
  })) as { canister_id: typeof source };
  const { snapshot_id } = (await ic('upload_canister_snapshot_metadata', {
    ...meta,
    canister_id: copy,
    replace_snapshot: [],
  })) as { snapshot_id: Uint8Array };
  for (const [area, size] of [
    ['wasm_module', meta.wasm_module_size],
    ['wasm_memory', meta.wasm_memory_size],
  ] as const) {
    for (let offset = 0n; offset < size; offset += PIECE) {
      const length = offset + PIECE < size ? PIECE : size - offset;
      const kind = { [area]: { offset, size: length } };
      const { chunk } = (await ic('read_canister_snapshot_data', { ...name, kind })) as {
        chunk: Uint8Array;
      };
      const to = { canister_id: copy, snapshot_id, kind: { [area]: { offset } }, chunk };
      await ic('upload_canister_snapshot_data', to);
    }
    await restart();
  }
  await ic('load_canister_snapshot', { canister_id: copy, snapshot_id, sender_canister_version: [] });
  await restart();
  const { reply } = (await agent.query(copy, { methodName: 'get', arg: EMPTY })) as unknown as {
    reply: { arg: Uint8Array };
  };
  expect(reply.arg[0]).toBe(3);
}, 120_000);

test('HTTP requests under way at kill -9 leave no call open', async () => {
  let { agent, ic } = await start();
  await using web = await WebServer.start(() => undefined);
  const proxy = await deploy(agent, wat(PROXY_WAT));
  const arg = encodeManagement('http_request', { url: web.url, method: { get: null }, headers: [] });
  const request = proxyRequest('http_request', arg, 10n ** 12n);
  for (let n = 0; n < 5; n++) await agent.call(proxy, { methodName: 'call', arg: request, callSync: false });
  await expect.poll(() => web.seen.length).toBe(5);
  await running.end('SIGKILL');
  ({ agent, ic } = await start());
  // The canister stops only when none of its calls waits for an answer.
  await ic('stop_canister', { canister_id: proxy });
  expect(await ic('canister_status', { canister_id: proxy })).toMatchObject({ status: { stopped: null } });
  expect(web.seen).toHaveLength(5);
}, 120_000);
