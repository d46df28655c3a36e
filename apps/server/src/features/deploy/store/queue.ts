import type { DeployInstanceAnswer } from '@cannery/contract';
import { sql } from 'kysely';
import type { Queue } from '../../../jobs/job-queue.ts';
import type { AppContext } from '../../../context.ts';
import type { RunRow } from './run-store.ts';

/**
 * Runs of deploys. A run whose worker dies is started again by another one; stops of the server in good order end a run
 * as well, so that the queue itself allows more starts than there will be.
 */
export const deployQueue: Queue<{ instanceId: string }> = { name: 'deploy-instance', retries: 100 };

/** A run that was cut off this often by the end of its server may be the cause, and is not started again. */
export const MAX_CRASHES = 2;

/** Why a run waits and how many runs are ahead of it; null for one that has begun. */
export async function waitingOf(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  run: RunRow,
): Promise<DeployInstanceAnswer['waiting']> {
  if (run.status !== 'SCHEDULED') return null;
  if (!run.job_sent) return { reason: 'deploy', ahead: 1 };
  const isAhead = sql<boolean>`(status = 'RUNNING' or (turn, seq) < (${run.turn}, ${run.seq}))`;
  const { all, own, running } = await db
    .selectFrom('deploy_instances')
    .select([
      sql<number>`count(*) filter (where ${isAhead})`.as('all'),
      sql<number>`count(*) filter (where user_id = ${run.user_id} and ${isAhead})`.as('own'),
      sql<number>`count(*) filter (where user_id = ${run.user_id} and status = 'RUNNING')`.as('running'),
    ])
    .where('status', 'in', ['SCHEDULED', 'RUNNING'])
    .where('job_sent', '=', true)
    .where('id', '<>', run.id)
    .executeTakeFirstOrThrow();
  return running >= config.build.runsOfUser ? { reason: 'user', ahead: own } : { reason: 'line', ahead: all };
}
