import { setTimeout as delay } from 'node:timers/promises';
import type { Actor, AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { createCanister } from '../canister/create-canister.ts';
import { canistersOf, type DeployRow, isCreationOpen } from './store.ts';

/** How long a run waits for the creation that an earlier run of the deploy has begun. */
const PATIENCE_MS = 30_000;
const POLL_MS = 250;

/**
 * The canister a deploy fills: the one of its earlier runs, or a new one named after the deploy. A creation belongs to
 * its deploy from the intent on, so whatever becomes of the run that began it, no second one is paid for.
 * @throws AppError of creating a canister, such as insufficient_balance
 */
export async function deployCanister(
  ctx: AppContext,
  user: Actor,
  deploy: DeployRow,
  say: (line: string) => void,
): Promise<string> {
  await awaitOpenCreation(ctx, deploy.id, say);
  const [existing] = (await canistersOf(ctx.db, [deploy.id])).get(deploy.id) ?? [];
  if (existing !== undefined) return existing;
  say(`Creating a canister named '${deploy.name}'`);
  const { id } = await createCanister(ctx, user, { name: deploy.name, deployId: deploy.id });
  say(`Canister ${id} is created.`);
  return id;
}

async function awaitOpenCreation(
  ctx: AppContext,
  deployId: string,
  say: (line: string) => void,
): Promise<void> {
  if (!(await isCreationOpen(ctx.db, deployId))) return;
  say('Waiting for the canister that an earlier run has begun to create');
  for (
    const giveUpAt = Date.now() + PATIENCE_MS;
    await isCreationOpen(ctx.db, deployId);
    await delay(POLL_MS)
  ) {
    if (Date.now() < giveUpAt) continue;
    throw new AppError(
      'network_unavailable',
      'The network has not answered yet whether it has created the canister of an earlier run.',
    );
  }
}
