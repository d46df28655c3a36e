import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { startPostgres } from '../postgres/embedded-postgres.ts';

test('of deploys of before, the run that was the last to end well is live', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-live-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: folder });
  onTestFinished(() => postgres.stop());
  const db = openDatabase(postgres.connection, 1);
  onTestFinished(() => db.destroy());
  await migrate(db, '0048-triggers-of-runs');
  await sql`insert into users (id, issuer, subject, username, name) values ('ada', 'test', 'ada', 'ada', 'Ada')`.execute(
    db,
  );
  for (const id of ['served', 'failing', 'new']) {
    await sql`insert into deploys (id, user_id, name, type, branch, repo_owner, repo_name, is_public)
      values (${id}, 'ada', ${id}, 'STATIC_SITE', 'main', 'ada', ${id}, false)`.execute(db);
  }
  const runs = [
    ['one', 'served', 'COMPLETED', '2026-01-01'],
    // Scheduled after the one that follows, and over before it.
    ['rollback', 'served', 'COMPLETED', '2026-01-03'],
    ['two', 'served', 'COMPLETED', '2026-01-02'],
    ['three', 'served', 'FAILED', '2026-01-04'],
    ['never', 'failing', 'FAILED', '2026-01-01'],
  ] as const;
  for (const [id, deploy, status, at] of runs) {
    await sql`insert into deploy_instances (id, deploy_id, user_id, status, trigger_by, finished_at)
      values (${id}, ${deploy}, 'ada', ${status}, 'MANUAL', ${at}::timestamptz)`.execute(db);
  }
  await migrate(db);
  const rows = await db.selectFrom('deploys').select(['id', 'live_run_id']).orderBy('id').execute();
  expect(rows).toEqual([
    { id: 'failing', live_run_id: null },
    { id: 'new', live_run_id: null },
    { id: 'served', live_run_id: 'rollback' },
  ]);
  const kept = await db.selectFrom('deploy_instances').select(['replaced_run_id', 'rebuild_of']).execute();
  expect(kept).toHaveLength(5);
  expect(kept.every((run) => run.replaced_run_id === null && run.rebuild_of === null)).toBe(true);
});
