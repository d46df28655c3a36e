import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { migrate } from '../migrate.ts';
import { startPostgres } from '../postgres/embedded-postgres.ts';

test('of a sample that several users have offered, the first one stays the sample; dapps of before have no rating', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cannery-ratings-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: folder });
  onTestFinished(() => postgres.stop());
  const db = openDatabase(postgres.connection, 1);
  onTestFinished(() => db.destroy());
  await migrate(db, '0052-live-runs');
  await sql`insert into users (id, issuer, subject, username, name) values ('ada', 'test', 'ada', 'ada', 'Ada')`.execute(
    db,
  );
  const dapps = [
    ['withdrawn', 'Poll', new Date()],
    ['first', 'Poll', null],
    ['second', 'Poll', null],
    ['other', 'Guest book', null],
    ['by hand', null, null],
  ] as const;
  for (const [id, sample, withdrawn] of dapps) {
    await sql`insert into dapps (id, user_id, name, description, wasm, version, words, sample, withdrawn_at)
      values (${id}, 'ada', ${id}, 'A dapp', 'aa', '1.0.0', '', ${sample}, ${withdrawn})`.execute(db);
  }
  await migrate(db);
  const kept = await db
    .selectFrom('dapps')
    .select(['id', 'sample', 'rating', 'ratings'])
    .orderBy('seq')
    .execute();
  const samples = ['Poll', 'Poll', null, 'Guest book', null];
  expect(kept).toEqual(dapps.map(([id], place) => ({ id, sample: samples[place], rating: 0, ratings: 0 })));
});
