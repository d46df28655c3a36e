import type { Actor } from '../../../context.ts';
import type { Reader } from '../../../db/tx.ts';
import { type DeployRow, findDeploy } from '../store/store.ts';

/** The deploy of a run and the user for whom it runs. @throws AppError not_found when either is gone */
export async function findRun(
  db: Reader,
  run: { userId: string; deployId: string },
): Promise<{ deploy: DeployRow; user: Actor }> {
  const deploy = await findDeploy(db, run.userId, run.deployId);
  const user = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '=', run.userId)
    .executeTakeFirstOrThrow();
  return { deploy, user };
}
