import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { findChange, listCutOff } from '../../features/canister/change/change-store.ts';
import { changesOf } from '../../features/deploy/store/run-changes.ts';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { startPostgres } from '../postgres/embedded-postgres.ts';

test('changes of code that are under way are taken over, those of runs and those of dapps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-changes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: folder });
  onTestFinished(() => postgres.stop());
  const db = openDatabase(postgres.connection, 1);
  onTestFinished(() => db.destroy());
  await migrate(db, '0039-settings-of-deploys');
  await sql`insert into users (id, issuer, subject, username, name) values ('ada', 'test', 'ada', 'ada', 'Ada')`.execute(
    db,
  );
  const insert = (table: string, row: object) =>
    sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
      values (${sql.join(Object.values(row))})`.execute(db);
  for (const id of ['run', 'forth', 'back'])
    await insert('canisters', {
      id,
      user_id: 'ada',
      name: id,
      status: 'stopped',
      cycles: '0',
      module_hash: `${id}-now`,
    });
  const common = { user_id: 'ada', was_running: true, snapshots_before: ['00'] };
  await insert('deploy_upgrades', {
    ...common,
    canister_id: 'run',
    instance_id: 'r1',
    name: 'till',
    phase: 'restoring',
    before_hash: 'run-old',
    target_hash: 'run-now',
    snapshot_id: '01',
  });
  const asked = { request_key: 'k', request_hash: 'h' };
  await insert('version_changes', {
    ...common,
    ...asked,
    canister_id: 'forth',
    kind: 'upgrade',
    target_hash: 'forth-new',
    before_version: '1.0.0',
    before_hash: 'forth-now',
  });
  await insert('version_changes', {
    ...common,
    canister_id: 'back',
    kind: 'back',
    target_hash: 'back-old',
    snapshot_id: '02',
  });
  await migrate(db);
  expect(await changesOf(db, 'r1')).toMatchObject([
    {
      canister_id: 'run',
      cause: 'run',
      phase: 'restoring',
      name: 'till',
      was_running: true,
      snapshot_id: '01',
    },
  ]);
  expect(await findChange(db, 'forth', 'dapp')).toMatchObject({
    ...asked,
    phase: 'upgrading',
    before_version: '1.0.0',
    before_hash: 'forth-now',
    target_hash: 'forth-new',
    snapshots_before: ['00'],
    snapshot_id: null,
  });
  expect(await findChange(db, 'back', 'dapp')).toMatchObject({
    phase: 'restoring',
    before_hash: 'back-old',
    target_hash: 'back-now',
    snapshot_id: '02',
  });
  const user = { id: 'ada', username: 'ada' };
  expect((await listCutOff(db, 10)).toSorted((a, b) => a.canisterId.localeCompare(b.canisterId))).toEqual([
    { canisterId: 'back', cause: 'dapp', user },
    { canisterId: 'forth', cause: 'dapp', user },
    { canisterId: 'run', cause: 'run', user },
  ]);
});
