import type { DeployInstanceAnswer } from '@cannery/contract';
import { sql } from 'kysely';
import type { AppContext } from '../../../context.ts';
import { PUBLISHING_RUNS_OF_USER } from './queue.ts';
import type { RunRow } from './run-store.ts';

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
