import { type Kysely, sql } from 'kysely';

/**
 * Columns of a canister in which the server keeps its own books: when it has looked, what a balance was then, whose turn it is. A
 * column that is not named here tells; one more cannot be forgotten.
 */
const BOOKS_OF_CANISTERS = [
  'cycles',
  'freezing_need',
  'burned_per_day',
  'refreshed_at',
  'logs_fetched_at',
  'sampled_at',
  'action_id',
  'action_expires_at',
];
/** Columns of a dapp that each installation of it changes. */
const BOOKS_OF_DAPPS = ['installs'];

/**
 * Who has open pages, by the process that serves them. A transaction that tells something holds up every other one that does until it
 * is on disk, so nothing is told of users whom nobody watches. The table is of the moment: it needs no place in the log.
 */
const WATCHES = `create unlogged table live_watches (
  subject text not null,
  process text not null,
  until timestamptz not null,
  primary key (subject, process)
)`;

/** Tells open pages, through all processes, when the transaction commits; Postgres tells the same thing once in each. */
const TELL = `create function tell_live(whom text, what text) returns void language plpgsql as $$
  begin
    if whom = 'everybody' or exists (select from live_watches where subject = whom and until > now()) then
      perform pg_notify('cannery_news', whom || ' ' || what);
    end if;
  end
$$`;

interface Told {
  readonly table: string;
  /** What of a row is told: text in SQL in which `it` is the row. */
  readonly what: string;
  /** Whom: text in SQL, null for nobody. The owner of the row unless it says otherwise. */
  readonly whom?: string;
  /** Columns whose change alone tells nothing. */
  readonly except?: readonly string[];
  /** When not all of insert, update and delete tell. */
  readonly on?: string;
}

const ownerOf = (table: string, reference: string): string =>
  `(select 'user:' || user_id from ${table} where id = it.${reference})`;
const ofDeploy = { what: `'deploys ' || it.deploy_id`, whom: ownerOf('deploys', 'deploy_id') };
const ofRun = {
  what: `'run ' || (select deploy_id from deploy_instances where id = it.instance_id) || ' ' || it.instance_id`,
  whom: ownerOf('deploy_instances', 'instance_id'),
};
const ofCanister = { what: `'canisters ' || it.canister_id` };

const TABLES: readonly Told[] = [
  { table: 'deploys', what: `'deploys ' || it.id` },
  { table: 'deploy_variables', ...ofDeploy },
  { table: 'deploy_canisters', ...ofDeploy },
  // A name that is given up has no deploy any more.
  { table: 'site_names', what: `'deploys ' || coalesce(it.deploy_id, old.deploy_id)` },
  { table: 'site_pictures', ...ofDeploy },
  { table: 'deploy_instances', what: `'run ' || it.deploy_id || ' ' || it.id` },
  { table: 'run_artifacts', ...ofRun, whom: `'user:' || it.user_id` },
  { table: 'run_warnings', ...ofRun },
  { table: 'canisters', what: `'canisters ' || it.id`, except: BOOKS_OF_CANISTERS },
  { table: 'canister_logs', ...ofCanister, on: 'insert' },
  { table: 'canister_changes', ...ofCanister, whom: ownerOf('canisters', 'canister_id'), on: 'insert' },
  { table: 'code_changes', ...ofCanister },
  { table: 'dapp_upgrades', ...ofCanister },
  { table: 'accounts', what: `'balance'`, on: 'update' },
  { table: 'transactions', what: `'balance'`, on: 'insert' },
  { table: 'github_installations', what: `'repositories'` },
  { table: 'dapps', what: `'dapps'`, whom: `'everybody'`, except: BOOKS_OF_DAPPS },
  { table: 'dapp_versions', what: `'dapps'`, whom: `'everybody'` },
  { table: 'sessions', what: `'sessions'`, on: 'delete' },
];

function statementsOf({ table, what, whom = `'user:' || it.user_id`, except = [], on }: Told): string[] {
  const books = `array[${except.map((column) => `'${column}'`).join(', ')}]`;
  const isSame =
    except.length === 0
      ? 'old is not distinct from new'
      : `to_jsonb(old) - ${books} = to_jsonb(new) - ${books}`;
  return [
    `create function tell_live_${table}() returns trigger language plpgsql as $$
      declare
        it ${table}%rowtype;
        whom text;
        what text;
      begin
        if tg_op = 'UPDATE' and ${isSame} then return null; end if;
        if tg_op = 'DELETE' then it := old; else it := new; end if;
        whom := ${whom};
        what := ${what};
        if whom is not null and what is not null then perform tell_live(whom, what); end if;
        return null;
      end
    $$`,
    `create trigger tell_live after ${on ?? 'insert or update or delete'} on ${table}
      for each row execute function tell_live_${table}()`,
  ];
}

/** Open pages learn what has changed from the tables themselves, so that no write can forget to tell them (decision 0121). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [WATCHES, TELL, ...TABLES.flatMap(statementsOf)])
    await sql.raw(statement).execute(db);
}
