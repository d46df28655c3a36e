import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LARGE_MODULE_BYTES, moduleOf as moduleOfBytes } from '../../crash/findings.ts';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import type { Db } from '../../src/db/tx.ts';
import type { NewChange } from '../../src/features/canister/change/change-store.ts';
import { loadServerIdentity } from '../../src/ic/agent/server-identity.ts';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { moduleOf } from '../support/modules.ts';
import { type NetworkProxy, startNetworkProxy } from '../support/network-proxy.ts';
import { startTestServer } from '../support/server.ts';
import { type Program, startNetworkProgram } from '../support/server-process.ts';

const OTHER_CODE = '00'.repeat(32);
/** A sweeper looks every five seconds. */
const PATIENCE = { timeout: 30_000 };

let dataDir: string;
let network: Program;
/** The wire from the console to the network. */
let proxy: NetworkProxy;
let server: RunningServer;
let db: Db;
let ada: ApiClient;
/** SHA-256 of the module that the canisters run. */
let code: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-cut-off-'));
  network = await startNetworkProgram(join(dataDir, 'own network'));
  proxy = await startNetworkProxy(network.url);
  server = await startTestServer({ DATA_DIR: dataDir, IC_URL: proxy.url });
  db = openDatabase(embeddedConnection(dataDir), 1);
  ada = await ApiClient.signIn(server.url, 'ada');
  code = await ada.uploadWasm(moduleOf({ exports: ['canister_query a'] }));
});
afterAll(async () => {
  await db.destroy();
  await server.close();
  await proxy.close();
  await network.kill('SIGTERM');
  await rm(dataDir, { recursive: true, force: true });
});

async function ok(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await ada.post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function running(name: string): Promise<string> {
  const id = await ada.create(name);
  await ok('/canister/install', { canister_id: id, identifier: code });
  return id;
}

/** Takes a snapshot of a running canister, and starts it again. */
async function snapshotOf(id: string): Promise<string> {
  await ok('/canister/stop', { canister_id: id });
  const taken = await ok('/canister/snapshot/take', { canister_id: id });
  await ok('/canister/start', { canister_id: id });
  return String(taken['id']);
}

const snapshotsOf = async (id: string): Promise<string[]> =>
  (await ada.list(`/canister/snapshots/${id}`)).map((one) => String(one['id']));
const stateOf = async (id: string): Promise<unknown> =>
  (await ada.get(`/canister/status/${id}/?real_time=true`)).body['status'];

/** Writes down a change that no process works on, as one that died has left it. */
async function cutOff(id: string, change: Partial<NewChange>): Promise<void> {
  const { user_id } = await db
    .selectFrom('canisters')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const usual = { cause: 'dapp', phase: 'upgrading', was_running: true, before_origin: null } as const;
  const values = {
    canister_id: id,
    user_id,
    before_hash: code,
    target_hash: OTHER_CODE,
    snapshots_before: [],
  };
  await db
    .insertInto('code_changes')
    .values({ ...usual, ...values, before_version: '1.0.0', ...change, before_origin: null })
    .execute();
}

const isLeft = async (id: string): Promise<boolean> =>
  (await db.selectFrom('code_changes').select('phase').where('canister_id', '=', id).executeTakeFirst()) !==
  undefined;

test('of several snapshots that came during an upgrade none is taken for its own, and all stay', async () => {
  const id = await running('Watched');
  const before = await snapshotOf(id);
  const [one, other] = [await snapshotOf(id), await snapshotOf(id)];
  await cutOff(id, { snapshots_before: [before] });
  await expect.poll(() => isLeft(id), PATIENCE).toBe(false);
  expect((await snapshotsOf(id)).toSorted()).toEqual([before, one, other].toSorted());
  // The only new one is that of the upgrade, which has changed nothing and needs it no more.
  await cutOff(id, { snapshots_before: [before, one] });
  await expect.poll(() => isLeft(id), PATIENCE).toBe(false);
  expect((await snapshotsOf(id)).toSorted()).toEqual([before, one].toSorted());
  expect(await stateOf(id)).toBe('running');
});

test('an upgrade to the code that was there already counts as done, and its snapshot as the way back', async () => {
  const id = await running('Same');
  const taken = await snapshotOf(id);
  await cutOff(id, { snapshot_id: taken, target_hash: code });
  await expect.poll(() => isLeft(id), PATIENCE).toBe(false);
  expect(await snapshotsOf(id)).toEqual([taken]);
  const ways = db.selectFrom('dapp_upgrades').select(['snapshot_id', 'version', 'module_hash']);
  expect(await ways.where('canister_id', '=', id).execute()).toEqual([
    { snapshot_id: taken, version: '1.0.0', module_hash: code },
  ]);
});

test('of an upgrade that has changed nothing no chunks of its module are left', async () => {
  const id = await running('Chunked');
  const ic = createIcClient({ icUrl: network.url, identity: await loadServerIdentity(dataDir) });
  // The upload comes before the call that installs, which is never sent.
  await ic.signInstall({
    canisterId: id,
    wasm: moduleOfBytes(LARGE_MODULE_BYTES),
    arg: new Uint8Array(),
    mode: 'upgrade',
  });
  expect((await ic.status(id)).memory.wasmChunkStore).toBeGreaterThan(2_000_000n);
  await cutOff(id, {});
  await expect.poll(() => isLeft(id), PATIENCE).toBe(false);
  expect((await ic.status(id)).memory.wasmChunkStore).toBe(0n);
});

test('a way back that cannot be carried out leaves the canister running with the code that it has', async () => {
  const id = await running('Stranded');
  // Somebody has deleted the snapshot.
  const gone = await snapshotOf(id);
  await ok('/canister/snapshot/delete', { canister_id: id, snapshot_id: gone });
  const back = { cause: 'run', instance_id: 'over', name: 'main', phase: 'restoring' } as const;
  await cutOff(id, { ...back, snapshot_id: gone, before_hash: OTHER_CODE, target_hash: code });
  await expect.poll(() => isLeft(id), PATIENCE).toBe(false);
  await expect.poll(() => stateOf(id)).toBe('running');
  expect((await ada.get(`/canister/status/${id}`)).body).toMatchObject({ module_hash: code });
});

test('a change is left to the process that has it, and ended once that has not been heard of for long', async () => {
  const id = await running('Held');
  await ok('/canister/stop', { canister_id: id });
  const lease = async (expires: number): Promise<void> => {
    await db
      .updateTable('canisters')
      .set({ action_id: 'somebody', action_expires_at: new Date(Date.now() + expires) })
      .where('id', '=', id)
      .execute();
  };
  await lease(300_000);
  await cutOff(id, {});
  // Another one is ended meanwhile, so that the sweeper has come by.
  const free = await running('Free');
  await cutOff(free, {});
  await expect.poll(() => isLeft(free), PATIENCE).toBe(false);
  expect(await isLeft(id)).toBe(true);
  expect(await stateOf(id)).toBe('stopped');
  await lease(-1);
  await expect.poll(() => isLeft(id), PATIENCE).toBe(false);
  expect(await stateOf(id)).toBe('running');
});

test('a way back during which the network goes away is carried out when that is there again', async () => {
  const id = await running('Patient');
  const wanted = await snapshotOf(id);
  const newer = await ada.uploadWasm(moduleOf({ exports: ['canister_query b'] }));
  await ok('/canister/install', { canister_id: id, identifier: newer, mode: 'upgrade' });
  let cuts = 0;
  // Neither the first call nor its one repetition arrives; the next one does.
  proxy.cutAt('before', () => {
    cuts += 1;
    if (cuts === 2) proxy.heal();
  });
  const back = { cause: 'run', instance_id: 'over', name: 'main', phase: 'restoring' } as const;
  await cutOff(id, { ...back, snapshot_id: wanted, before_hash: code, target_hash: newer });
  await expect.poll(() => isLeft(id), PATIENCE).toBe(false);
  expect(cuts).toBe(2);
  await expect.poll(() => stateOf(id)).toBe('running');
  expect((await ada.get(`/canister/status/${id}`)).body).toMatchObject({ module_hash: code });
});
