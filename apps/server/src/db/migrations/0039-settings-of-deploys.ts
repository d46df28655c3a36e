import { type Kysely, sql } from 'kysely';

/** The settings of a deploy are one value: a new one is no new column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const columns = [
  'build_command',
  'publish_directory',
  'root_directory',
  'install_arguments',
  'starting_cycles',
  'on_push',
  'breaking_changes',
  'snapshots',
  'health_call',
];

const statements = [
  `alter table deploys add column settings jsonb not null default '{}'`,
  `update deploys set settings = jsonb_build_object(${columns.map((name) => `'${name}', ${name}`).join(', ')})`,
  `alter table deploys ${columns.map((name) => `drop column ${name}`).join(', ')}`,
];
