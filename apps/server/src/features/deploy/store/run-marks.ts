import { sql } from 'kysely';
import type { RunMark } from '../../../db/tables/code-origin.ts';
import { jsonText } from '../../../db/json-text.ts';
import type { Reader, Tx } from '../../../db/tx.ts';

/** A run as its deploy counts it, and the commit that it builds. */
export async function markOf(db: Reader, instanceId: string): Promise<RunMark> {
  const run = await db
    .selectFrom('deploy_instances as run')
    .select(['run.commit_sha', sql<number>`(${countUpTo})::integer`.as('number')])
    .where('run.id', '=', instanceId)
    .executeTakeFirstOrThrow();
  return { runId: instanceId, number: run.number, commit: run.commit_sha };
}

const countUpTo = sql`select count(*) from deploy_instances one where one.deploy_id = run.deploy_id and one.seq <= run.seq`;

/**
 * Notes that a run has put the files of a website into a canister. The code is of an earlier one, perhaps; where the canister has
 * none of the deploy, nothing is written down.
 */
export async function noteFilled(
  tx: Tx,
  { deployId, canisterId, by }: { deployId: string; canisterId: string; by: RunMark },
): Promise<void> {
  await sql`update canisters set origin = origin || ${jsonText({ filledBy: by })}::jsonb
    where id = ${canisterId} and origin ->> 'kind' = 'run' and origin ->> 'deployId' = ${deployId}`.execute(
    tx,
  );
}
