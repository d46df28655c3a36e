import { type Kysely, sql } from 'kysely';

/**
 * Runs can be cancelled and wait for the run before them of their deploy; the lines of a log know their number, their time
 * and the phase of the run they were written in. Lines of earlier versions have none of these.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  'alter table deploy_instances add column cancelled_by text',
  'alter table deploy_instances add column job_sent boolean not null default true',
  // A second run of a deploy waits in line; of those that run there is still one at most, whoever starts it.
  'drop index deploy_instances_under_way',
  `create unique index deploy_instances_running on deploy_instances (deploy_id) where status = 'RUNNING'`,
  'alter table deploy_log_lines add column first_line integer',
  'alter table deploy_log_lines add column written_at timestamptz',
  'alter table deploy_log_lines add column after_ms integer[]',
  'alter table deploy_log_lines add column phase text',
];
