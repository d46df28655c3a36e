import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table deploy_instances add column log_bytes integer not null default 0',
  // As `LOG_BYTES` of the store counts them.
  `update deploy_instances set log_bytes = counted.bytes
    from (
      select instance_id, sum(octet_length(text) + 100 + 4 * coalesce(cardinality(after_ms), 0)) as bytes
      from deploy_log_lines group by instance_id
    ) counted
    where counted.instance_id = deploy_instances.id and finished_at is not null`,
  'create index deploy_instances_with_logs on deploy_instances (user_id, seq) where log_bytes > 0',
];

/** Runs that have ended know how much their logs take: those of a user are bounded together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
