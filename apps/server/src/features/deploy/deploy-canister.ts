import type { Actor, AppContext } from '../../context.ts';
import { createCanister } from '../canister/create-canister.ts';
import { canistersOf, type DeployRow, findUnlinkedCanister, linkCanister } from './store.ts';

/**
 * The canister a deploy fills: the one of its earlier runs, or a new one named after the deploy. A canister that a run
 * created right before its worker died is taken up again.
 * @param since when the run was first started
 * @throws AppError of creating a canister, such as insufficient_balance
 */
export async function deployCanister(
  ctx: AppContext,
  user: Actor,
  deploy: DeployRow,
  since: Date,
  say: (line: string) => void,
): Promise<string> {
  const [existing] = (await canistersOf(ctx.db, [deploy.id])).get(deploy.id) ?? [];
  if (existing !== undefined) return existing;
  const left = await findUnlinkedCanister(ctx.db, { userId: user.id, name: deploy.name, since });
  if (left === undefined) say(`Creating a canister named '${deploy.name}'`);
  const id = left ?? (await createCanister(ctx, user, { name: deploy.name })).id;
  await ctx.transact((tx) => linkCanister(tx, deploy.id, id));
  say(`Canister ${id} is created.`);
  return id;
}
