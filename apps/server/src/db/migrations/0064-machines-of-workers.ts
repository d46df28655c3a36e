import { type Kysely, sql } from 'kysely';

/** What workers know of their machines, for the processes that show it. It is of the moment: it needs no place in the log. */
const MACHINES = `create unlogged table worker_machines (
  process text primary key,
  warnings jsonb not null,
  until timestamptz not null
)`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(MACHINES).execute(db);
}
