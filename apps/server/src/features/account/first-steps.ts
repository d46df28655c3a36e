import type { FirstStepName, FirstSteps } from '@cannery/contract';
import type { OneStatement, Reader } from '../../db/tx.ts';

/** Writes down that a user has done something; only the first time counts. */
export async function markStep(
  db: OneStatement,
  userId: string,
  step: FirstStepName | 'dismissed',
): Promise<void> {
  await db
    .insertInto('first_steps')
    .values({ user_id: userId, step })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether a user has done something before. */
export async function hasDone(db: Reader, userId: string, step: FirstStepName): Promise<boolean> {
  const row = await db
    .selectFrom('first_steps')
    .select('step')
    .where('user_id', '=', userId)
    .where('step', '=', step)
    .executeTakeFirst();
  return row !== undefined;
}

/** What of the first steps a user has done. */
export async function readFirstSteps(db: Reader, userId: string): Promise<FirstSteps> {
  const rows = await db
    .selectFrom('first_steps')
    .select(['step', 'done_at'])
    .where('user_id', '=', userId)
    .orderBy('done_at')
    .execute();
  return {
    done: rows.flatMap(({ step, done_at: at }) =>
      step === 'dismissed' ? [] : [{ step, at: at.toISOString() }],
    ),
    dismissed: rows.some(({ step }) => step === 'dismissed'),
  };
}

/** Puts the list away for good. */
export async function dismissFirstSteps(db: OneStatement, userId: string): Promise<FirstSteps> {
  await markStep(db, userId, 'dismissed');
  return readFirstSteps(db, userId);
}
