import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../database.ts';
import { startPostgres } from '../postgres/embedded-postgres.ts';
import { migrate } from '../migrate.ts';
import type { Db } from '../tx.ts';

const hash = 'ab12cd34'.repeat(8);
const other = '99887766'.repeat(8);
const put = `Code 0x${hash.slice(0, 8)}.`;
const byDeploy = `${put} By the deploy 'pages'.`;

/** Canisters of a database of before, each with the code it has, its history, and whether the deploy fills it. */
const canisters: readonly {
  readonly id: string;
  readonly code: string | null;
  readonly deploy?: true;
  readonly history: readonly (readonly [kind: string, detail: string | null, at: string])[];
  readonly after: object;
}[] = [
  { id: 'empty', code: null, history: [], after: { origin: { kind: 'empty' }, origin_hash: null } },
  {
    id: 'by-hand',
    code: hash,
    history: [['installed', put, '10:05']],
    after: { origin: { kind: 'unknown' }, origin_hash: hash, origin_by: 'ada' },
  },
  {
    // Its bytes are those of a dapp, which proves nothing.
    id: 'like-a-dapp',
    code: hash,
    history: [],
    after: { origin: { kind: 'unknown' }, origin_hash: hash, origin_by: null },
  },
  {
    id: 'by-a-run',
    code: hash,
    deploy: true,
    history: [
      ['installed', 'Code 0x11111111.', '09:00'],
      ['upgraded', byDeploy, '10:05'],
      ['started', null, '10:06'],
    ],
    after: {
      origin: { kind: 'run', deployId: 'deploy', runId: 'run-2', name: 'pages' },
      origin_hash: hash,
      origin_by: 'ada',
    },
  },
  {
    // The history names a deploy that does not fill it.
    id: 'by-a-forgotten-deploy',
    code: hash,
    history: [['installed', byDeploy, '10:05']],
    after: { origin: { kind: 'unknown' }, origin_hash: hash },
  },
  {
    id: 'between-two-runs',
    code: hash,
    deploy: true,
    history: [['installed', byDeploy, '11:30']],
    after: { origin: { kind: 'unknown' }, origin_hash: hash },
  },
  {
    id: 'changed-by-others-since',
    code: other,
    deploy: true,
    history: [
      ['installed', byDeploy, '10:05'],
      ['outside', `The code with hash 0x99887766 has replaced 0xab12cd34.`, '12:30'],
    ],
    after: { origin: { kind: 'unknown' }, origin_hash: null },
  },
  {
    id: 'put-back-since',
    code: other,
    deploy: true,
    history: [
      ['installed', byDeploy, '10:05'],
      ['snapshot_restored', `00 with code 0x99887766.`, '12:30'],
    ],
    after: { origin: { kind: 'unknown' }, origin_hash: other },
  },
  {
    id: 'other-code-than-the-history-says',
    code: other,
    deploy: true,
    history: [['installed', byDeploy, '10:05']],
    after: { origin: { kind: 'unknown' }, origin_hash: other, origin_by: null },
  },
];

let folder: string;
let db: Db;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-origins-'));
  postgres = await startPostgres({ dataDir: folder });
  db = openDatabase(postgres.connection, 1);
  await migrate(db, '0035-site-pictures');
  await fill();
  await migrate(db);
}, 60_000);
afterAll(async () => {
  await db?.destroy();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (time: string): string => `2026-01-01 ${time}:00+00`;

async function fill(): Promise<void> {
  await sql`insert into users (id, issuer, subject, username, name) values ('ada', 'test', 'ada', 'ada', 'Ada')`.execute(
    db,
  );
  await sql`insert into deploys (id, user_id, name, type, branch, repo_owner, repo_name, is_public)
    values ('deploy', 'ada', 'pages', 'STATIC_SITE', 'main', 'ada', 'pages', false)`.execute(db);
  for (const [id, from, to] of [
    ['run-1', '08:00', '08:10'],
    ['run-2', '10:00', '10:10'],
    ['run-3', '12:00', '12:10'],
  ] as const) {
    await sql`insert into deploy_instances (id, deploy_id, user_id, status, trigger_by, started_at, finished_at)
      values (${id}, 'deploy', 'ada', 'COMPLETED', 'MANUAL', ${at(from)}, ${at(to)})`.execute(db);
  }
  await sql`insert into dapps (id, user_id, name, description, wasm, version, installs, words)
    values ('dapp', 'ada', 'Same bytes', '', ${hash}, '1.0.0', 7, array_to_tsvector(array['a']))`.execute(db);
  await sql`insert into dapp_versions (id, dapp_id, version, notes, identifier)
    values ('version', 'dapp', '1.0.0', '', ${hash})`.execute(db);
  for (const { id, code, deploy, history } of canisters) {
    await sql`insert into canisters (id, user_id, name, status, module_hash)
      values (${id}, 'ada', ${id}, 'running', ${code})`.execute(db);
    if (deploy === true)
      await sql`insert into deploy_canisters (deploy_id, canister_id) values ('deploy', ${id})`.execute(db);
    for (const [kind, detail, time] of [['created', null, '07:00'] as const, ...history]) {
      const actor = kind === 'outside' ? null : 'ada';
      await sql`insert into canister_changes (id, canister_id, kind, actor, detail, created_at)
        values (${`${id} ${time}`}, ${id}, ${kind}, ${actor}, ${detail}, ${at(time)})`.execute(db);
    }
  }
}

test.each(canisters.map((canister) => [canister.id, canister.after] as const))(
  'a canister of before whose history is "%s" has what that proves, and no more',
  async (id, after) => {
    const row = await db
      .selectFrom('canisters')
      .select(['origin', 'origin_hash', 'origin_by'])
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toMatchObject(after);
  },
);

test('installations that were counted by equal bytes are counted from zero', async () => {
  expect(await db.selectFrom('dapps').select('installs').execute()).toEqual([{ installs: 0 }]);
});
