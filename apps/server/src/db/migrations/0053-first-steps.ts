import { type Kysely, sql } from 'kysely';

const TABLE = `create table first_steps (
  user_id text not null references users on delete cascade,
  step text not null,
  done_at timestamptz not null default now(),
  primary key (user_id, step)
)`;

/** Tables tell these steps themselves, so that no way to them can forget it: a deploy creates canisters, a webhook is a push elsewhere. */
const BY_TABLES = [
  `create function first_canister() returns trigger language plpgsql as $$
    begin
      insert into first_steps (user_id, step) values (new.user_id, 'create') on conflict do nothing;
      return null;
    end
  $$`,
  'create trigger first_canister after insert on canisters for each row execute function first_canister()',
  `create function first_run() returns trigger language plpgsql as $$
    begin
      insert into first_steps (user_id, step)
        values (new.user_id, case new.trigger_by when 'PUSH' then 'push' else 'roll_back' end)
        on conflict do nothing;
      return null;
    end
  $$`,
  `create trigger first_run_of_push after insert on deploy_instances for each row
    when (new.trigger_by = 'PUSH') execute function first_run()`,
  // A rollback is done when its result is live.
  `create trigger first_rollback after update of status on deploy_instances for each row
    when (new.trigger_by = 'ROLLBACK' and new.status = 'COMPLETED') execute function first_run()`,
];

/** Open pages are told as of everything else about an account. */
const TOLD = [
  `create function tell_live_first_steps() returns trigger language plpgsql as $$
    begin
      perform tell_live('user:' || new.user_id, 'balance');
      return null;
    end
  $$`,
  `create trigger tell_live after insert on first_steps
    for each row execute function tell_live_first_steps()`,
];

/** What was done before there was this table, as far as other tables tell it. */
const BEFORE = [
  `insert into first_steps (user_id, step, done_at)
    select user_id, 'create', min(created_at) from (
      select user_id, created_at from canisters
      union all select user_id, created_at from transactions where transaction_name = 'CANISTER_CREATE'
    ) as created group by user_id`,
  `insert into first_steps (user_id, step, done_at)
    select user_id, 'push', min(created_at) from deploy_instances where trigger_by = 'PUSH' group by user_id`,
  `insert into first_steps (user_id, step, done_at)
    select user_id, 'roll_back', min(coalesce(finished_at, created_at)) from deploy_instances
    where trigger_by = 'ROLLBACK' and status = 'COMPLETED' group by user_id`,
];

/** What each user has done at least once (decision 0127). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, ...BY_TABLES, ...BEFORE, ...TOLD]) await sql.raw(statement).execute(db);
}
