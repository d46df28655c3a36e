import type { DeliveryOutcome, DeployHook } from '@cannery/contract';
import type { Selectable } from 'kysely';
import type { DeployHooksTable } from '../../db/tables/deploy-hook-tables.ts';
import type { OneStatement, Reader, Tx } from '../../db/tx.ts';

type HookRow = Selectable<DeployHooksTable>;

/** The webhook of a user's deploy; undefined while it is off, and for somebody else's deploy. */
export async function findHook(db: Reader, userId: string, deployId: string): Promise<HookRow | undefined> {
  return db
    .selectFrom('deploy_hooks')
    .innerJoin('deploys', 'deploys.id', 'deploy_hooks.deploy_id')
    .selectAll('deploy_hooks')
    .where('deploys.user_id', '=', userId)
    .where('deploys.id', '=', deployId)
    .executeTakeFirst();
}

/** Makes a hook the one of its deploy, with a secret that nobody has used yet. */
export async function saveHook(
  tx: Tx,
  { id, deployId, sealed }: { id: string; deployId: string; sealed: Buffer },
): Promise<HookRow> {
  const fresh = { sealed, created_at: new Date(), last_delivery_at: null, last_delivery: null };
  return tx
    .insertInto('deploy_hooks')
    .values({ id, deploy_id: deployId, ...fresh })
    .onConflict((conflict) => conflict.column('deploy_id').doUpdateSet({ id, ...fresh }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The deploy is the user's: whoever deletes has found it as such. */
export async function deleteHook(tx: Tx, deployId: string): Promise<void> {
  await tx.deleteFrom('deploy_hooks').where('deploy_id', '=', deployId).execute();
}

/** A hook as a delivery needs it. */
export interface CalledHook {
  readonly id: string;
  readonly sealed: Buffer;
  readonly deployId: string;
  readonly branch: string;
  readonly userId: string;
  readonly username: string;
}

/** The hook of an address, whoever calls. */
export async function findCalledHook(db: Reader, id: string): Promise<CalledHook | undefined> {
  return db
    .selectFrom('deploy_hooks')
    .innerJoin('deploys', 'deploys.id', 'deploy_hooks.deploy_id')
    .innerJoin('users', 'users.id', 'deploys.user_id')
    .select([
      'deploy_hooks.id',
      'deploy_hooks.sealed',
      'deploys.id as deployId',
      'deploys.branch',
      'users.id as userId',
      'users.username',
    ])
    .where('deploy_hooks.id', '=', id)
    .executeTakeFirst();
}

/** Notes what came of a delivery that had the secret. */
export async function noteDelivery(db: OneStatement, id: string, outcome: DeliveryOutcome): Promise<void> {
  await db
    .updateTable('deploy_hooks')
    .set({ last_delivery_at: new Date(), last_delivery: outcome })
    .where('id', '=', id)
    .execute();
}

/** The hook as the API shows it. */
export function hookAnswer(
  { created_at, last_delivery_at, last_delivery }: HookRow,
  address: string,
): DeployHook {
  return {
    address,
    created_at: created_at.toISOString(),
    last_delivery_at: last_delivery_at?.toISOString() ?? null,
    last_delivery,
  };
}
