import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { startPostgres } from '../postgres/embedded-postgres.ts';

test('of users of before, the steps that tables tell are done at the moment of the first of each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-steps-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: folder });
  onTestFinished(() => postgres.stop());
  const db = openDatabase(postgres.connection, 1);
  onTestFinished(() => db.destroy());
  await migrate(db, '0052-live-runs');
  for (const id of ['ada', 'eve'])
    await sql`insert into users (id, issuer, subject, username, name) values (${id}, 'test', ${id}, ${id}, ${id})`.execute(
      db,
    );
  for (const [id, at] of [
    ['second', '2026-02-02'],
    ['first', '2026-02-01'],
  ])
    await sql`insert into canisters (id, user_id, name, status, created_at)
      values (${id}, 'ada', ${id}, 'running', ${at}::timestamptz)`.execute(db);
  await sql`insert into deploys (id, user_id, name, type, branch, repo_owner, repo_name, is_public)
    values ('shop', 'ada', 'shop', 'STATIC_SITE', 'main', 'ada', 'shop', false)`.execute(db);
  const runs = [
    ['by hand', 'MANUAL', 'COMPLETED', '2026-03-01'],
    ['pushed', 'PUSH', 'FAILED', '2026-03-02'],
    ['failed rollback', 'ROLLBACK', 'FAILED', '2026-03-03'],
    ['rollback', 'ROLLBACK', 'COMPLETED', '2026-03-04'],
  ] as const;
  for (const [id, trigger, status, at] of runs)
    await sql`insert into deploy_instances (id, deploy_id, user_id, status, trigger_by, created_at, finished_at)
      values (${id}, 'shop', 'ada', ${status}, ${trigger}, ${at}::timestamptz, ${at}::timestamptz)`.execute(
      db,
    );
  await migrate(db);
  const steps = async () =>
    (await db.selectFrom('first_steps').selectAll().orderBy('done_at').execute()).map(
      ({ user_id: user, step, done_at: at }) => [user, step, at.toISOString().slice(0, 10)],
    );
  const before = [
    ['ada', 'create', '2026-02-01'],
    ['ada', 'push', '2026-03-02'],
    ['ada', 'roll_back', '2026-03-04'],
  ];
  expect(await steps()).toEqual(before);

  await sql`insert into canisters (id, user_id, name, status) values ('hers', 'eve', 'hers', 'running')`.execute(
    db,
  );
  await sql`delete from canisters`.execute(db);
  expect((await steps()).map(([user, step]) => [user, step])).toEqual([
    ...before.map(([user, step]) => [user, step]),
    ['eve', 'create'],
  ]);
});
