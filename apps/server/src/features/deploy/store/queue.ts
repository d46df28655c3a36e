import type { DeployInstanceAnswer } from '@cannery/contract';
import { sql } from 'kysely';
import type { Queue } from '../../../jobs/job-queue.ts';
import type { AppContext } from '../../../context.ts';
import type { RunRow } from './run-store.ts';

/**
 * Runs of deploys that build. A run whose worker dies is started again by another one; stops of the server in good order
 * end a run as well, so that the queue itself allows more starts than there will be.
 */
export const deployQueue: Queue<{ instanceId: string }> = { name: 'deploy-instance', retries: 100 };

/** Runs that publish what an earlier run has built. They take seconds, so they have a line apart from the builds. */
export const publishQueue: Queue<{ instanceId: string }> = { name: 'deploy-publish', retries: 100 };

/** All queues that a run can have its job in. */
export const runQueues = [deployQueue, publishQueue] as const;

/** The queue of a run: by whether it builds, or publishes the result of another run (`source_id`). */
export function queueOf({ source_id }: { readonly source_id: string | null }): Queue<{ instanceId: string }> {
  return source_id === null ? deployQueue : publishQueue;
}

/** Runs that publish without a build, of one worker at the same time: each writes to the network, and little else. */
export const PUBLISHING_RUNS = 3;
/** How many of these one user may have. */
export const PUBLISHING_RUNS_OF_USER = 1;

/** A run that was cut off this often by the end of its server may be the cause, and is not started again. */
export const MAX_CRASHES = 2;

/** Why a run waits and how many runs of its kind are ahead of it; null for one that has begun. */
export async function waitingOf(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  run: RunRow,
): Promise<DeployInstanceAnswer['waiting']> {
  if (run.status !== 'SCHEDULED') return null;
  if (!run.job_sent) return { reason: 'deploy', ahead: 1 };
  const isPublishing = run.source_id !== null;
  const runsOfUser = isPublishing ? PUBLISHING_RUNS_OF_USER : config.build.runsOfUser;
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
    .where('source_id', isPublishing ? 'is not' : 'is', null)
    .where('id', '<>', run.id)
    .executeTakeFirstOrThrow();
  return running >= runsOfUser ? { reason: 'user', ahead: own } : { reason: 'line', ahead: all };
}
