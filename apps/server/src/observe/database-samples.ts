import { sql } from 'kysely';
import type { AppContext } from '../context.ts';

type Db = AppContext['db'];

/** Jobs of a queue. */
export interface QueueSample {
  readonly queue: string;
  readonly waiting: number;
  readonly active: number;
  /** For how long the oldest job could have been begun already, in seconds; 0 where none waits. */
  readonly age: number;
}

/**
 * How long the queues are, by what pg-boss itself has counted within the last seconds. For the age an index is read that has the
 * jobs that wait, and no others.
 */
export async function sampleQueues(db: Db): Promise<readonly QueueSample[]> {
  const { rows } = await sql<QueueSample>`
    select q.name as queue,
      (q.queued_count + q.deferred_count)::int as waiting,
      q.active_count::int as active,
      coalesce((
        select extract(epoch from now() - min(j.start_after)) from pgboss.job j
        where j.name = q.name and j.state < 'active' and j.start_after < now()
      ), 0)::float8 as age
    from pgboss.queue q where q.name not like '\\_\\_pgboss%'`.execute(db);
  return rows;
}

/** Runs that are not over. */
export interface RunSample {
  readonly status: 'SCHEDULED' | 'RUNNING';
  readonly runs: number;
  /** Age of the oldest one, in seconds. */
  readonly age: number;
}

/** An index has the runs that are not over, and no others. */
export async function sampleRuns(db: Db): Promise<readonly RunSample[]> {
  return db
    .selectFrom('deploy_instances')
    .select('status')
    .$narrowType<{ status: RunSample['status'] }>()
    .select(sql<number>`count(*)::int`.as('runs'))
    .select(sql<number>`extract(epoch from now() - min(created_at))::float8`.as('age'))
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .groupBy('status')
    .execute();
}

/** Payments and other actions at the network that are not over. */
export interface PaymentSample {
  /** Under way or about to be ended. */
  readonly open: number;
  /** Age of the oldest of these, in seconds. */
  readonly age: number;
  /** Those that wait for the operator. */
  readonly uncertain: number;
}

/** The table has what is not over, and no other rows. */
export async function samplePayments(db: Db): Promise<PaymentSample> {
  return db
    .selectFrom('intents')
    .select(sql<number>`(count(*) filter (where uncertain is null))::int`.as('open'))
    .select(sql<number>`(count(*) filter (where uncertain is not null))::int`.as('uncertain'))
    .select(
      sql<number>`coalesce(extract(epoch from now() - min(created_at) filter (where uncertain is null)), 0)::float8`.as(
        'age',
      ),
    )
    .executeTakeFirstOrThrow();
}
