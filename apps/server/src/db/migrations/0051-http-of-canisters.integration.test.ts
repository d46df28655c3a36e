import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { startPostgres } from '../postgres/embedded-postgres.ts';
import { migrate } from '../migrate.ts';
import type { Db } from '../tx.ts';

const web = 'aa'.repeat(32);
const plain = 'bb'.repeat(32);
const other = 'cc'.repeat(32);
const run = (id: string) => ({ kind: 'run', deployId: 'deploy', runId: id, name: 'pages' });

/** Canisters of a database of before, and what is written down of them now. */
const canisters: readonly {
  readonly id: string;
  readonly hash: string | null;
  readonly origin: object;
  readonly filled?: 'site' | 'module';
  readonly after: object;
}[] = [
  { id: 'empty', hash: null, origin: { kind: 'empty' }, after: { kind: 'empty' } },
  { id: 'web', hash: web, origin: { kind: 'file' }, after: { kind: 'file', servesHttp: true } },
  { id: 'plain', hash: plain, origin: { kind: 'file' }, after: { kind: 'file', servesHttp: false } },
  { id: 'not-uploaded', hash: other, origin: { kind: 'unknown' }, after: { kind: 'unknown' } },
  {
    // Its code is of the first run; the last one that has succeeded has filled it.
    id: 'site',
    hash: other,
    origin: run('run-1'),
    filled: 'site',
    after: {
      ...run('run-1'),
      servesHttp: true,
      number: 1,
      commit: 'commit 1',
      filledBy: { runId: 'run-3', number: 3, commit: 'commit 3' },
    },
  },
  {
    id: 'code-of-a-run',
    hash: other,
    origin: run('run-3'),
    filled: 'module',
    after: { ...run('run-3'), number: 3, commit: 'commit 3' },
  },
  { id: 'run-that-is-gone', hash: other, origin: run('gone'), after: run('gone') },
];

let folder: string;
let db: Db;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-http-'));
  postgres = await startPostgres({ dataDir: folder });
  db = openDatabase(postgres.connection, 1);
  await migrate(db, '0048-triggers-of-runs');
  await fill();
  await migrate(db);
}, 60_000);
afterAll(async () => {
  await db?.destroy();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function fill(): Promise<void> {
  await sql`insert into users (id, issuer, subject, username, name) values ('ada', 'test', 'ada', 'ada', 'Ada')`.execute(
    db,
  );
  for (const [identifier, exports] of [
    [web, '["canister_init", "canister_query http_request"]'],
    [plain, '["canister_query get", "canister_update http_request"]'],
  ] as const) {
    await sql`insert into blobs (identifier) values (${identifier})`.execute(db);
    await sql`insert into modules (identifier, size, unpacked_size, unpacked_sha256, exports, warnings)
      values (${identifier}, 1, 1, ${identifier}, ${exports}::jsonb, '[]')`.execute(db);
  }
  await sql`insert into deploys (id, user_id, name, type, branch, repo_owner, repo_name, is_public)
    values ('deploy', 'ada', 'pages', 'STATIC_SITE', 'main', 'ada', 'pages', false)`.execute(db);
  for (const [number, status] of [
    [1, 'COMPLETED'],
    [2, 'FAILED'],
    [3, 'COMPLETED'],
    [4, 'FAILED'],
  ] as const) {
    await sql`insert into deploy_instances (id, deploy_id, user_id, status, trigger_by, commit_sha)
      values (${`run-${number}`}, 'deploy', 'ada', ${status}, 'MANUAL', ${`commit ${number}`})`.execute(db);
  }
  for (const { id, hash, origin, filled } of canisters) {
    await sql`insert into canisters (id, user_id, name, status, module_hash, origin, origin_hash)
      values (${id}, 'ada', ${id}, 'running', ${hash}, ${JSON.stringify(origin)}::jsonb, ${hash})`.execute(
      db,
    );
    if (filled !== undefined)
      await sql`insert into deploy_canisters (deploy_id, canister_id, kind) values ('deploy', ${id}, ${filled})`.execute(
        db,
      );
  }
}

test.each(canisters.map((canister) => [canister.id, canister.after] as const))(
  'of the canister "%s" of before is written down what its database proves, and no more',
  async (id, after) => {
    const { origin } = await db
      .selectFrom('canisters')
      .select('origin')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(origin).toEqual(after);
  },
);
