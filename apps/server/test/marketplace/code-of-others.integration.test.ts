import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { embeddedConnection } from '../../src/db/postgres/embedded-postgres.ts';
import { ApiClient } from '../support/client.ts';
import { moduleOf } from '../support/modules.ts';
import { startTestServer } from '../support/server.ts';

test('an upgrade that was cut off is not taken for done when others have put in its module', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cannery-others-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startTestServer({ DATA_DIR: dataDir });
  onTestFinished(() => server.close());
  const db = openDatabase(embeddedConnection(dataDir), 1);
  onTestFinished(() => db.destroy());
  const ada = await ApiClient.signIn(server.url, 'ada');
  const id = await ada.create('Mine');
  const target = await ada.uploadWasm(moduleOf({ exports: ['canister_query a'] }));
  expect((await ada.post('/canister/install', { canister_id: id, identifier: target })).status).toBe(200);
  // The books know of no installation of it, as if another controller had made it.
  const before = '00'.repeat(32);
  await db.updateTable('canisters').set({ origin_hash: before }).where('id', '=', id).execute();
  const { user_id } = await db
    .selectFrom('canisters')
    .select('user_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('code_changes')
    .values({
      canister_id: id,
      user_id,
      cause: 'dapp',
      phase: 'upgrading',
      was_running: true,
      before_hash: before,
      target_hash: target,
      before_origin: null,
      snapshots_before: [],
      snapshot_id: null,
      before_version: '1.0.0',
      request_key: 'key',
      request_hash: 'hash',
    })
    .execute();
  const left = async () => (await db.selectFrom('code_changes').select('canister_id').execute()).length;
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
  expect(await db.selectFrom('dapp_upgrades').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('kept_answers').selectAll().execute()).toEqual([]);
});
