import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { findDeploy } from '../../features/deploy/store/store.ts';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { startPostgres } from '../postgres/embedded-postgres.ts';
import { USUAL_SETTINGS } from '../tables/deploy-settings.ts';

test('settings of before are kept, and those that nobody has set are as usual', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-settings-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: folder });
  onTestFinished(() => postgres.stop());
  const db = openDatabase(postgres.connection, 1);
  onTestFinished(() => db.destroy());
  await migrate(db, '0038-uncertain-payments');
  await sql`insert into users (id, issuer, subject, username, name) values ('ada', 'test', 'ada', 'ada', 'Ada')`.execute(
    db,
  );
  const plain = { user_id: 'ada', type: 'MOTOKO', branch: 'main', repo_owner: 'ada', repo_name: 'x' };
  const insert = (row: object) =>
    sql`insert into deploys select * from jsonb_populate_record(null::deploys, ${JSON.stringify(row)}::jsonb)`.execute(
      db,
    );
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const usual = { root_directory: '', install_arguments: {}, starting_cycles: {}, on_push: false };
  const safety = { breaking_changes: 'publish', snapshots: 'require' };
  const common = { ...plain, ...times, ...usual, ...safety, is_public: false };
  await insert({ ...common, id: 'plain', name: 'Plain' });
  const set = {
    build_command: 'npm run build',
    publish_directory: 'dist',
    root_directory: 'site',
    install_arguments: { till: '(5)', ['__proto__']: '("own")' },
    starting_cycles: { till: '3000000000000' },
    on_push: true,
    breaking_changes: 'ask',
    snapshots: 'try',
    health_call: { canister: 'till', method: 'ready', argument: '()', expected: '', deadline: 20 },
  } as const;
  await insert({ ...common, id: 'set', name: 'Set', ...set });
  await migrate(db);
  expect((await findDeploy(db, 'ada', 'plain')).settings).toEqual(USUAL_SETTINGS);
  const { settings } = await findDeploy(db, 'ada', 'set');
  expect(settings).toEqual({ ...USUAL_SETTINGS, ...set });
  expect(Object.keys(settings.install_arguments).toSorted()).toEqual(['__proto__', 'till']);
});
