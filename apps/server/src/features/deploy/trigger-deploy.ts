import type { Actor, AppContext } from '../../context.ts';
import { insertInstance } from './instance-store.ts';
import { deployQueue } from './queue.ts';
import { findDeploy } from './store.ts';

/**
 * Schedules a run of a deploy. The run and its job are one commit: neither exists without the other.
 * @throws AppError not_found, or deploy_running while another run is under way
 */
export async function triggerDeploy(ctx: AppContext, user: Actor, deployId: string): Promise<{ id: string }> {
  return ctx.transact(async (tx) => {
    const deploy = await findDeploy(tx, user.id, deployId);
    const id = await insertInstance(tx, { deployId: deploy.id, userId: user.id, triggerBy: 'MANUAL' });
    await ctx.jobs.send(tx, deployQueue, { instanceId: id });
    return { id };
  });
}
