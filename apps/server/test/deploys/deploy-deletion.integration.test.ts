import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeployAnswer } from '@cannery/contract';
import { type Api, createApi, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { transactOn } from '../../src/db/tx.ts';
import { hold, release } from '../../src/features/account/holds.ts';
import { endIntent, insertIntent } from '../../src/features/canister/payment/intents.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

/** The books are compared with the network's to the cycle. */
const FREE = { NETWORK_FEES: 'free' };

/** Two canisters of code, and a website. */
const project = {
  'dfx.json': JSON.stringify({
    canisters: {
      backend: { main: 'backend.mo' },
      other: { main: 'other.mo' },
      pages: { type: 'assets', source: ['public'] },
    },
  }),
  'backend.mo': 'persistent actor { public query func name() : async Text { "backend" } }',
  'other.mo': 'persistent actor { public query func name() : async Text { "other" } }',
  'public/index.html': '<p>pages</p>',
};

const balanceOf = async (api: Api): Promise<bigint> =>
  BigInt((await api.call<{ balance_exact: string }>('GET', '/getInsights/')).balance_exact);

const canistersOf = async (api: Api, id: string): Promise<string[]> =>
  (await api.call<DeployAnswer>('GET', `/deploy/${id}`)).canisters;

const accountCanisters = async (api: Api): Promise<string[]> =>
  (await api.call<{ id: string }[]>('GET', '/canister/list/')).map(({ id }) => id);

const remove = (api: Api, id: string, canisters?: string) =>
  api.request('DELETE', `/deploy/${id}${canisters === undefined ? '' : `?canisters=${canisters}`}`);

/** Canisters for whose deletion cycles have come back, one entry for each movement. */
async function creditedFor(api: Api): Promise<string[]> {
  const rows = await api.call<{ transaction_name: string; transaction_meta: string | null }[]>(
    'GET',
    '/transactions/',
  );
  return rows
    .filter(({ transaction_name: name }) => name === 'CYCLE_DEPOSIT')
    .flatMap(({ transaction_meta: meta }) => {
      const { canister_id: id } = JSON.parse(meta ?? '{}') as { canister_id?: string };
      return id === undefined ? [] : [id];
    });
}

describe('a DApp is deleted', () => {
  let client: DeployClient;
  beforeAll(async () => {
    client = await startDeployClient({ env: FREE });
  }, 120_000);
  afterAll(() => client?.dispose());

  /** What the database still has of a deploy, and how many artifacts of it. */
  async function left(id: string, run: string): Promise<number[]> {
    const db = openDatabase(embeddedConnection(client.product.dataDir), 1);
    const counts = await Promise.all([
      db.selectFrom('deploys').select('id').where('id', '=', id).execute(),
      db.selectFrom('deploy_instances').select('id').where('deploy_id', '=', id).execute(),
      db.selectFrom('deploy_log_lines').select('seq').where('instance_id', '=', run).execute(),
      db.selectFrom('run_artifacts').select('size').where('deploy_id', '=', id).execute(),
      db.selectFrom('deploy_canisters').select('name').where('deploy_id', '=', id).execute(),
    ]);
    await db.destroy();
    return counts.map(({ length }) => length);
  }

  async function isHeld(id: string): Promise<boolean> {
    const db = openDatabase(embeddedConnection(client.product.dataDir), 1);
    const held = await db.selectFrom('deploys').select('deletion_id').where('id', '=', id).execute();
    await db.destroy();
    return held.some(({ deletion_id: deletion }) => deletion !== null);
  }

  test('its canisters stay in the account; runs, logs and results go', async () => {
    const { ada } = client;
    await client.push('kept', { 'index.html': '<p>kept</p>' });
    const id = await client.create('kept', 'STATIC_SITE');
    const run = await client.run(id);
    const canisters = await canistersOf(ada, id);
    expect((await left(id, run.id)).every((count) => count > 0)).toBe(true);
    const balance = await balanceOf(ada);
    expect(await remove(ada, id)).toEqual({
      status: 200,
      body: { message: 'DApp deleted. Its canisters stay.', refunded: '0' },
    });
    expect(await left(id, run.id)).toEqual([0, 0, 0, 0, 0]);
    expect(await ada.call('GET', '/deploy')).toEqual([]);
    expect(await accountCanisters(ada)).toEqual(canisters);
    expect(await balanceOf(ada)).toBe(balance);
    const site = await fetch(`${client.product.networkUrl}/?canisterId=${canisters[0]}`);
    expect(await site.text()).toBe('<p>kept</p>');
    // Gone is gone, for every call.
    for (const canisters of [undefined, 'keep', 'delete']) {
      expect(await remove(ada, id, canisters)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await ada.request('GET', `/deploy/${id}/instances/${run.id}`)).status).toBe(404);
    expect((await ada.request('POST', `/deploy/${id}/trigger`)).status).toBe(404);
    // The canister is one like any other.
    await ada.call('POST', '/canister/stop', { canister_id: canisters[0] });
    await ada.call('POST', '/canister/delete', { canister_id: canisters[0] });
  }, 120_000);

  test('its canisters go as well, whatever they do, and all of their cycles come back', async () => {
    const { ada } = client;
    const other = await ada.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
      name: 'Of no DApp',
    });
    const before = await balanceOf(ada);
    await client.push('whole', project);
    const id = await client.create('whole', 'CUSTOM');
    const run = await client.run(id);
    expect(run.status, run.logs ?? '').toBe('COMPLETED');
    const [first = '', second = '', ...others] = await canistersOf(ada, id);
    expect(others).toHaveLength(1);
    await ada.call('POST', '/canister/stop', { canister_id: first });
    await ada.call('POST', '/canister/topup', { canister_id: second, amount: 3 });
    expect(await balanceOf(ada)).toBe(before - 9_000_000_000_000n);
    const { status, body } = await remove(ada, id, 'delete');
    expect({ status, body }).toEqual({
      status: 200,
      body: { message: 'DApp and canisters deleted.', refunded: '9000000000000' },
    });
    expect(await balanceOf(ada)).toBe(before);
    expect(await accountCanisters(ada)).toEqual([other.data.canister_id]);
    expect(await left(id, run.id)).toEqual([0, 0, 0, 0, 0]);
    for (const canister of [first, second]) {
      const site = await fetch(`${client.product.networkUrl}/?canisterId=${canister}`);
      expect(site.status).toBeGreaterThanOrEqual(400);
    }
    expect((await remove(ada, id, 'delete')).status).toBe(404);
  }, 180_000);

  test('only by its owner, and in one of two ways', async () => {
    const { ada } = client;
    await client.push('mine', { 'index.html': 'mine' });
    const id = await client.create('mine', 'STATIC_SITE');
    await client.run(id);
    const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
    for (const canisters of ['keep', 'delete']) {
      const refused = await remove(bob, id, canisters);
      expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await remove(bob, 'no-such-deploy', canisters)).toEqual(refused);
    }
    expect(await remove(ada, id, 'burn')).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect(await canistersOf(ada, id)).toHaveLength(1);
  }, 60_000);

  test('not while a run is under way or waits; a run of it does not begin meanwhile', async () => {
    const { ada } = client;
    await client.push('busy', { 'index.html': 'busy' });
    const id = await client.create('busy', 'STATIC_SITE', { build_command: 'sleep 600.25' });
    const running = await client.trigger(id);
    const busy = {
      status: 400,
      body: {
        code: 'deploy_busy',
        error: 'A run of this DApp is under way or waits. Cancel it first, then delete the DApp.',
      },
    };
    await vi.waitFor(async () => expect((await client.instance(id, running)).status).toBe('RUNNING'), 10_000);
    const waiting = await client.trigger(id);
    for (const canisters of ['keep', 'delete']) expect(await remove(ada, id, canisters)).toMatchObject(busy);
    await ada.call('POST', `/deploy/${id}/instances/${running}/cancel`);
    await client.finished(id, running);
    // The other one has its turn now.
    for (const canisters of ['keep', 'delete']) expect(await remove(ada, id, canisters)).toMatchObject(busy);
    await ada.call('POST', `/deploy/${id}/instances/${waiting}/cancel`);
    await client.finished(id, waiting);
    await ada.call('PATCH', `/deploy/${id}`, { build_cmd: 'true' });
    expect((await client.run(id)).status).toBe('COMPLETED');

    // While the network holds the deletion up, no run can be scheduled, and the DApp cannot be deleted in the other way.
    const goOn = await client.product.pauseNetwork();
    const deletion = remove(ada, id, 'delete');
    const deleting = { status: 400, body: { code: 'deploy_busy', error: 'This DApp is being deleted.' } };
    try {
      await vi.waitFor(async () => expect(await isHeld(id)).toBe(true), 10_000);
      expect(await remove(ada, id, 'keep')).toMatchObject(deleting);
      expect(await ada.request('POST', `/deploy/${id}/trigger`)).toMatchObject(deleting);
      expect(await remove(ada, id, 'delete')).toMatchObject(deleting);
    } finally {
      goOn();
    }
    expect((await deletion).status).toBe(200);
    expect((await remove(ada, id)).status).toBe(404);
  }, 120_000);

  test('together with a run that is scheduled at the same moment: one of the two is refused', async () => {
    const { ada } = client;
    await client.push('race', { 'index.html': 'race' });
    for (let round = 0; round < 8; round++) {
      const id = await client.create('race', 'STATIC_SITE');
      const way = round % 2 === 0 ? 'keep' : 'delete';
      const trigger = () => ada.request('POST', `/deploy/${id}/trigger`);
      const requests =
        round % 4 < 2 ? [remove(ada, id, way), trigger()] : [trigger(), remove(ada, id, way)].reverse();
      const [removed, triggered] = await Promise.all(requests);
      if (removed === undefined || triggered === undefined) throw new Error('Both are asked.');
      const statuses = [removed.status, triggered.status];
      expect([
        [200, 404],
        [200, 400],
        [400, 200],
      ]).toContainEqual(statuses);
      if (triggered.status === 200) {
        const run = await client.finished(id, (triggered.body as { id: string }).id);
        expect(run.status).toBe('COMPLETED');
        expect((await remove(ada, id, 'delete')).status).toBe(200);
      }
    }
  }, 120_000);

  test('not while a creation for it has no outcome; a canister that is busy is waited for', async () => {
    const { ada } = client;
    await client.push('open', { 'index.html': 'open' });
    const id = await client.create('open', 'STATIC_SITE');
    await client.run(id);
    const db = openDatabase(embeddedConnection(client.product.dataDir), 2);
    const { user_id: userId } = await db
      .selectFrom('deploys')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const creation = await transactOn(db)(async (tx) =>
      insertIntent(tx, {
        kind: 'create',
        userId,
        holdId: (await hold(tx, { userId, amount: 1n, purpose: 'CANISTER_CREATE' })).id,
        canisterId: null,
        lease: undefined,
        canisterName: 'open/second',
        cycles: 1n,
        cyclesBefore: null,
        deploy: { id, part: 'second' },
        call: {
          requestId: 'none',
          envelope: new Uint8Array(),
          effectiveCanisterId: 'aaaaa-aa',
          expiresAt: new Date(Date.now() + 60_000),
          ledgerTime: null,
          isRepetition: false,
        },
      }),
    );
    for (const canisters of ['keep', 'delete']) {
      expect(await remove(ada, id, canisters)).toMatchObject({
        status: 400,
        body: { code: 'deploy_busy', error: expect.stringContaining('has begun to create a canister') },
      });
    }
    await transactOn(db)(async (tx) => {
      await endIntent(tx, creation);
      await release(tx, creation.hold_id ?? '');
    });
    const busyUntil = Date.now() + 2_000;
    const [canister = ''] = await canistersOf(ada, id);
    await db
      .updateTable('canisters')
      .set({ action_id: 'another', action_expires_at: new Date(busyUntil) })
      .where('id', '=', canister)
      .execute();
    await db.destroy();
    expect((await remove(ada, id, 'delete')).status).toBe(200);
    expect(Date.now()).toBeGreaterThan(busyUntil);
  }, 60_000);

  test('a canister that was given away only leaves the account, and the answer says so', async () => {
    const { ada } = client;
    await client.push('given', { 'index.html': 'given' });
    const id = await client.create('given', 'STATIC_SITE');
    await client.run(id);
    const [canister] = await canistersOf(ada, id);
    await ada.call('POST', '/canister/settings', {
      canister_id: canister,
      settings: { controllers: ['2vxsx-fae'] },
      give_up_control: true,
    });
    expect(await remove(ada, id, 'delete')).toEqual({
      status: 200,
      body: {
        message: 'DApp deleted. Canisters that the console no longer controls still exist on the network.',
        refunded: '0',
      },
    });
    expect(await accountCanisters(ada)).not.toContain(canister);
    const site = await fetch(`${client.product.networkUrl}/?canisterId=${canister}`);
    expect(await site.text()).toBe('given');
  }, 60_000);
});

test('a deletion with canisters that kill -9 cuts off again and again ends as if it had not been', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cannery-deploy-deletion-'));
  const start = (point?: string): Promise<DeployClient> =>
    startDeployClient({
      dataDir,
      env: point === undefined ? FREE : { ...FREE, NODE_ENV: 'test', FAULT_POINT: point },
    });
  try {
    let client = await start('delete.signed');
    const before = await balanceOf(client.ada);
    await client.push('killed', project);
    const id = await client.create('killed', 'CUSTOM');
    expect((await client.run(id)).status).toBe('COMPLETED');
    const canisters = await canistersOf(client.ada, id);
    expect(canisters).toHaveLength(3);
    // Dies before the first one is gone, then after the first, in the middle of the second, of the third, and before the end.
    const deaths = [
      ['delete.signed', 'delete.booked', 3],
      ['delete.booked', 'delete.answered', 2],
      ['delete.answered', 'delete.booked', 1],
    ] as const;
    for (const [, next, remaining] of deaths) {
      await expect(remove(client.ada, id, 'delete')).rejects.toThrow();
      await client.product.kill();
      client = await start(next);
      await vi.waitFor(
        async () => expect(await accountCanisters(client.ada)).toHaveLength(remaining),
        20_000,
      );
      const { ada } = client;
      // What is left is a whole DApp: in the list, with its runs, and with the canisters that are left.
      expect(await canistersOf(ada, id)).toEqual(expect.arrayContaining(await accountCanisters(ada)));
      expect((await ada.call<unknown[]>('GET', '/deploy')).length).toBe(1);
      expect(await creditedFor(ada)).toHaveLength(3 - remaining);
    }
    await expect(remove(client.ada, id, 'delete')).rejects.toThrow();
    await client.product.kill();
    client = await start();
    expect(await accountCanisters(client.ada)).toEqual([]);
    expect(await canistersOf(client.ada, id)).toEqual([]);
    expect(await remove(client.ada, id, 'delete')).toMatchObject({ status: 200, body: { refunded: '0' } });
    expect(await client.ada.call('GET', '/deploy')).toEqual([]);
    expect((await creditedFor(client.ada)).toSorted()).toEqual(canisters.toSorted());
    expect(await balanceOf(client.ada)).toBe(before);
    await client.dispose();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 300_000);
