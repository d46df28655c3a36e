import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // No foreign keys: runs go only together with their deploy, and each would need an index for that.
  'alter table deploys add column live_run_id text',
  'alter table deploy_instances add column replaced_run_id text',
  'alter table deploy_instances add column rebuild_of text',
  // Runs of a deploy have always been one after the other, so that the last to end well is live.
  `update deploys set live_run_id = (
    select id from deploy_instances
    where deploy_id = deploys.id and status = 'COMPLETED'
    order by finished_at desc nulls last, seq desc limit 1
  )`,
];

/** Which run of a deploy is live, which one it has replaced, and whose commit a run builds again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
