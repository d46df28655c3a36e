import { type DeployStatus, leftOutText } from '@cannery/contract';
import type { BuildMachine } from '../../../builders/machine/build-machine.ts';
import type { AppContext } from '../../../context.ts';
import { endCancelled, RunCancelledError, watchForCancel } from './cancel-run.ts';
import { runDeploy } from './run-deploy.ts';
import { startNext } from './trigger-deploy.ts';
import type { CommitStatus } from '../../../github/github-client.ts';
import { runsEnded } from '../../../metrics/instruments.ts';
import { openGitHubRepository } from '../../github/open-repository.ts';

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
    runsEnded.add({ status: 'CANCELLED' });
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

/** How a run looks beside its commit. */
const STATES: Readonly<Record<DeployStatus, Pick<CommitStatus, 'state' | 'description'>>> = {
  SCHEDULED: { state: 'pending', description: 'Deploying' },
  RUNNING: { state: 'pending', description: 'Deploying' },
  COMPLETED: { state: 'success', description: 'Live' },
  FAILED: { state: 'failure', description: 'Not deployed; the log says why' },
};

/** Characters of a context and of a description at GitHub. */
const CONTEXT_LIMIT = 200;
const DESCRIPTION_LIMIT = 140;

/**
 * Tells GitHub beside the commit how its run stands. Nothing becomes of the run if that cannot be done: the app may have
 * no right to write statuses, or the account be gone.
 */
async function reportToGitHub(ctx: AppContext, instanceId: string): Promise<void> {
  if (ctx.github === undefined) return;
  try {
    const run = await ctx.db
      .selectFrom('deploy_instances')
      .innerJoin('deploys', 'deploys.id', 'deploy_instances.deploy_id')
      .select([
        'deploy_instances.status',
        'left_out',
        'commit_sha',
        'source_id',
        'deploy_id',
        'deploys.user_id',
        'deploys.name',
      ])
      .select(['repo_owner', 'repo_name', 'github_repository_id'])
      .where('deploy_instances.id', '=', instanceId)
      .executeTakeFirst();
    // What is published again was reported when it was built.
    if (!run?.commit_sha || run.source_id !== null || run.github_repository_id === null) return;
    const named = { owner: run.repo_owner, name: run.repo_name, id: run.github_repository_id };
    const opened = await openGitHubRepository(ctx, { id: run.user_id }, named, 'report');
    const { state, description } = STATES[run.status];
    const left = run.status === 'COMPLETED' && run.left_out !== null ? `, ${leftOutText(run.left_out)}` : '';
    await opened.setStatus({
      state,
      description: `${description}${left}`.slice(0, DESCRIPTION_LIMIT),
      sha: run.commit_sha,
      context: `Cannery: ${run.name}`.slice(0, CONTEXT_LIMIT),
      address: `${ctx.config.consoleUrl ?? ctx.addresses.publicUrl}/ics/deploy/${run.deploy_id}/runs/${instanceId}`,
    });
  } catch (error) {
    ctx.log.warn({ err: error, instanceId }, 'GitHub could not be told of a run');
  }
}
