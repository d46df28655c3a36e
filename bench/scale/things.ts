import { Principal } from '@icp-sdk/core/principal';
import type pg from 'pg';

/** Rows of one statement. */
const BATCH = 5_000;

/** Things of which there can be many: `fill` adds those with the numbers above `from` up to `to`, past the server. */
export interface Thing {
  readonly name: string;
  fill(database: pg.Client, from: number, to: number): Promise<void>;
}

/** Each user has as many canisters, and as many deploys, as this. */
const OF_EACH_USER = 10;

/** Fills a table with one statement for each batch, which gets numbers as `n`. */
function byStatement(name: string, tables: string, ...statements: readonly string[]): Thing {
  return {
    name,
    async fill(database, from, to) {
      for (let at = from; at < to; at += BATCH)
        for (const statement of statements)
          await database.query(statement, [at + 1, Math.min(at + BATCH, to)]);
      await database.query(`vacuum analyze ${tables}`);
    },
  };
}

const NUMBERS = 'generate_series($1::integer, $2::integer) as n';
const owner = (number: string): string => `'scale-user-' || (1 + (${number} - 1) / ${OF_EACH_USER})`;

/** Users with an account and a session each. */
export const users = byStatement(
  'users',
  'users, accounts, sessions',
  `insert into users (id, issuer, subject, username, name)
    select 'scale-user-' || n, 'scale', 's' || n, 'scale-user-' || n, 'User ' || n from ${NUMBERS}`,
  `insert into accounts (user_id, balance) select 'scale-user-' || n, 1000000000000 from ${NUMBERS}`,
  `insert into sessions (token_hash, user_id, expires_at)
    select encode(sha256(('scale' || n)::bytea), 'hex'), 'scale-user-' || n, now() + interval '1 day' from ${NUMBERS}`,
);

/** An id of a canister that the network does not have. */
function idOf(kind: number, number: number): string {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(0, 0xffff_0000 + kind);
  new DataView(bytes.buffer).setUint32(4, number);
  bytes.set([1, 1], 8);
  return Principal.fromUint8Array(bytes).toText();
}

/** @param ownerOf SQL for the id of the user who has canister `n` */
function canistersOf(name: string, kind: number, ownerOf: string): Thing {
  return {
    name,
    async fill(database, from, to) {
      for (let at = from; at < to; at += BATCH) {
        const numbers = Array.from({ length: Math.min(BATCH, to - at) }, (_, place) => at + place + 1);
        // Nobody reads their balance: it was just read.
        await database.query(
          `insert into canisters (id, user_id, name, cycles, status, refreshed_at, sampled_at)
            select id, ${ownerOf}, 'Canister ' || n, 1000000000000, 'running', now(), now() + interval '1 day'
            from unnest($1::text[], $2::integer[]) as row(id, n)`,
          [numbers.map((number) => idOf(kind, number)), numbers],
        );
      }
      await database.query('vacuum analyze canisters');
    },
  };
}

/** Ten of each user. */
export const canisters = canistersOf('canisters', 1, owner('n'));
/** All of one user. */
export const ownCanisters = (userId: string): Thing => canistersOf('canisters of one user', 2, `'${userId}'`);

const DEPLOY_COLUMNS = 'id, user_id, name, type, branch, repo_owner, repo_name, is_public';

/** Ten of each user. */
export const deploys = byStatement(
  'deploys',
  'deploys',
  `insert into deploys (${DEPLOY_COLUMNS})
    select 'scale-deploy-' || n, ${owner('n')}, 'Deploy ' || n, 'STATIC_SITE', 'main', 'nobody', 'site', false from ${NUMBERS}`,
);

const RUN_COLUMNS = 'id, deploy_id, user_id, turn, status, trigger_by, created_at, started_at, finished_at';

/** One of each deploy. */
export const runs = byStatement(
  'runs',
  'deploy_instances',
  `insert into deploy_instances (${RUN_COLUMNS})
    select 'scale-run-' || n, 'scale-deploy-' || n, ${owner('n')}, n, 'COMPLETED', 'nobody', now(), now(), now() from ${NUMBERS}`,
);

/** All of one deploy. */
export const runsOf = (deployId: string, userId: string): Thing =>
  byStatement(
    'runs of one deploy',
    'deploy_instances',
    `insert into deploy_instances (${RUN_COLUMNS})
      select 'scale-own-run-' || n, '${deployId}', '${userId}', 100000 + n, 'COMPLETED', 'nobody', now(), now(), now()
      from ${NUMBERS}`,
  );

/** All of one run, a hundred in a row, as a build that prints fast gets them; the numbers are multiples of a hundred. */
export const linesOf = (runId: string): Thing => ({
  name: 'lines of a log',
  async fill(database, from, to) {
    await database.query(
      `insert into deploy_log_lines (instance_id, seq, text, first_line, written_at, after_ms, phase)
        select $1, (n - 1) / 100, string_agg('line ' || n || ' of a build that prints what it does', e'\\n' order by n), min(n), now(),
          array_agg(0), 'build'
        from generate_series($2::integer + 1, $3::integer) as n group by (n - 1) / 100`,
      [runId, from, to],
    );
    await database.query('vacuum analyze deploy_log_lines');
  },
});

/** All of one user, whose account they do not change: each is of nothing. */
export const transactionsOf = (userId: string): Thing =>
  byStatement(
    'transactions of one user',
    'transactions',
    `insert into transactions
      (id, user_id, transaction_name, transaction_type, amount, balance_before, balance_after, counter_account)
      select 'scale-transaction-' || n, user_id, 'CANISTER_TOPUP', 'DEBIT', 0, balance, balance, 'deposits'
      from accounts, ${NUMBERS} where user_id = '${userId}'`,
  );
