import type { AppContext } from '../../../context.ts';
import { lockRuns, openRunsOf } from '../store/run-store.ts';
import { queueOf } from '../store/queue.ts';

/** Puts the run that waits for its turn within a deploy in the line of all runs of its kind, once no other of the deploy is there. */
export async function startNext(ctx: AppContext, deployId: string): Promise<void> {
  await ctx.transact(async (tx) => {
    await lockRuns(tx, deployId);
    const open = await openRunsOf(tx, deployId);
    const [next] = open;
    if (next === undefined || open.some(({ job_sent }) => job_sent)) return;
    const sent = { job_sent: true };
    await tx.updateTable('deploy_instances').set(sent).where('id', '=', next.id).execute();
    await ctx.jobs.send(
      tx,
      queueOf(next),
      { instanceId: next.id },
      { tenant: next.user_id, turn: Number(next.turn) },
    );
  });
}
