import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../src/db/tx.ts';
import { runQueues } from '../../src/features/deploy/store/queue.ts';
import type { IcClient } from '../../src/ic/ic-client.ts';

/** What the server writes by itself while it runs: balances of canisters, whose pages are open, when it has looked at canisters, use of sessions. */
const BY_ITSELF = ['canister_balances', 'live_watches'];
const LOOKED_AT = ['refreshed_at', 'sampled_at', 'last_used_at'];

/**
 * Everything a product keeps, as sorted lines: rows of the database, files of repositories and uploads, and canisters as
 * the network knows them.
 * @param parts.ic a client whose identity controls the canisters
 */
export async function dumpState(parts: {
  db: Db;
  dataDir: string;
  ic: IcClient;
  canisters: readonly string[];
}): Promise<string[]> {
  const lines = await Promise.all([
    rows(parts.db),
    files(join(parts.dataDir, 'git')),
    files(join(parts.dataDir, 'blobs')),
    ...parts.canisters.map((id) => canister(parts.ic, id)),
  ]);
  return lines.flat().toSorted();
}

async function rows(db: Db): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all(${BY_ITSELF})`.execute(
    db,
  );
  const found = await Promise.all([
    ...tables.rows.map(async ({ name }) => {
      const { rows: all } = await sql<{ row: string }>`
        select (to_jsonb(t) - ${LOOKED_AT}::text[])::text as row from ${sql.table(name)} t`.execute(db);
      return all.map(({ row }) => `${name}: ${row}`);
    }),
    jobs(db),
  ]);
  return found.flat();
}

/** Jobs of ours; the queue has others for its own upkeep. */
async function jobs(db: Db): Promise<string[]> {
  const found = await sql<{ row: string }>`
    select jsonb_build_array(name, id, state, data)::text as row from pgboss.job
    where name in (${sql.join(runQueues.map(({ name }) => name))})`.execute(db);
  return found.rows.map(({ row }) => `job: ${row}`);
}

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return `${path}: ${createHash('sha256')
          .update(await readFile(path))
          .digest('hex')}`;
      }),
  );
}

async function canister(ic: IcClient, id: string): Promise<string> {
  const status = await ic.status(id, { fast: true });
  const text = JSON.stringify(status, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return `canister ${id}: ${text}`;
}
