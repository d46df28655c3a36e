import type { BuildMachine } from '../../../builders/machine/build-machine.ts';
import type { AppContext } from '../../../context.ts';
import { endCancelled, RunCancelledError, watchForCancel } from './cancel-run.ts';
import { runDeploy } from './run-deploy.ts';
import { reportToGitHub } from './report-to-github.ts';
import { startNext } from './start-next.ts';

/**
 * What a worker does for a run: runs it to its end, or until its owner cancels it, and lets the next run of the deploy in.
 * @throws what `runDeploy` throws
 */
export async function performRun(
  ctx: AppContext,
  machine: BuildMachine,
  instanceId: string,
  signal: AbortSignal,
): Promise<void> {
  const cancel = watchForCancel(ctx, instanceId);
  let reported = Promise.resolve();
  try {
    await runDeploy(ctx, machine, instanceId, AbortSignal.any([signal, cancel.signal]), () => {
      reported = reportToGitHub(ctx, instanceId);
    });
  } catch (error) {
    if (!(error instanceof RunCancelledError)) throw error;
    await endCancelled(ctx, instanceId);
  } finally {
    cancel.stop();
  }
  const run = await ctx.db
    .selectFrom('deploy_instances')
    .select('deploy_id')
    .where('id', '=', instanceId)
    .executeTakeFirst();
  if (run !== undefined) await startNext(ctx, run.deploy_id);
  await reported;
  await reportToGitHub(ctx, instanceId);
}
