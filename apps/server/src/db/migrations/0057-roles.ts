import { type Kysely, sql } from 'kysely';

const TABLES = [
  `create table deployment_marks (
    name text primary key,
    value text not null,
    recorded_at timestamptz not null default now()
  )`,
  // A folder of repositories belongs to one process, its holder, until the lease ends by the clock of the database.
  `create table git_folders (
    id text primary key,
    holder text not null,
    url text not null,
    lease_until timestamptz not null
  )`,
  `create table repository_homes (
    user_id text primary key references users on delete cascade,
    folder_id text not null references git_folders
  )`,
  'create index repository_homes_folder on repository_homes (folder_id)',
];

/** What the processes of one product have in common, and which of them has whose repositories (decisions 0131 and 0132). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of TABLES) await sql.raw(statement).execute(db);
}
