import type { Actor, AppContext } from '../../context.ts';
import { createCanister } from '../canister/create-canister.ts';
import { canistersOf, type DeployRow, linkCanister } from './store.ts';

/**
 * The canister a deploy fills: the one of its earlier runs, or a new one named after the deploy.
 * @throws AppError of creating a canister, such as insufficient_balance
 */
export async function deployCanister(
  ctx: AppContext,
  user: Actor,
  deploy: DeployRow,
  say: (line: string) => void,
): Promise<string> {
  const [existing] = (await canistersOf(ctx.db, [deploy.id])).get(deploy.id) ?? [];
  if (existing !== undefined) return existing;
  say(`Creating a canister named '${deploy.name}'`);
  const { id } = await createCanister(ctx, user, { name: deploy.name });
  await ctx.transact((tx) => linkCanister(tx, deploy.id, id));
  say(`Canister ${id} is created.`);
  return id;
}
