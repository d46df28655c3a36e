import { deployEndpoints, leftOutText } from '@cannery/contract';
import { type ExitCode, exitCodes } from '../cli-error.ts';
import { findDeploy } from '../find-deploy.ts';
import { awaitRun, followRun, type RunId } from '../follow-run.ts';
import type { Invocation } from '../read-arguments.ts';
import type { Command, CommandContext } from './command-context.ts';

/**
 * Waits for the end of a run, with its log when that is wanted.
 * @returns the exit code that tells the result
 */
export async function seeThrough(
  { api, output }: CommandContext,
  run: RunId,
  { follow, json }: Pick<Invocation, 'follow' | 'json'>,
): Promise<ExitCode> {
  const { status, left_out: left } = follow
    ? await followRun(api, run, (line) => (json ? output.printJson(line) : output.printLog(line.text)))
    : await awaitRun(api, run);
  if (json) output.printJson({ deploy_id: run.deployId, run_id: run.runId, status, left_out: left });
  const partly = status === 'COMPLETED' && left !== undefined ? `, live, ${leftOutText(left)}` : '';
  output.note(`Run ${run.runId}: ${status}${partly}`);
  return status === 'COMPLETED' ? exitCodes.completed : exitCodes.failed;
}

/** Says which run has been started, and waits for it when that is wanted. */
async function afterStart(ctx: CommandContext, run: RunId, invocation: Invocation): Promise<ExitCode> {
  const { wait, follow, json } = invocation;
  if (follow) ctx.output.note(`Run ${run.runId} is started.`);
  else if (!json) ctx.output.print(run.runId);
  else if (!wait) ctx.output.printJson({ deploy_id: run.deployId, run_id: run.runId });
  return wait || follow ? seeThrough(ctx, run, invocation) : exitCodes.completed;
}

/** `cannery deploy <deploy> [--canister <name>]...` */
export const deploy: Command = async (ctx, invocation) => {
  const { canisters } = invocation;
  const [name = ''] = invocation.operands;
  const deployId = await findDeploy(ctx.api, name);
  const { id: runId } = await ctx.api.call(deployEndpoints.trigger, {
    params: { id: deployId },
    ...(canisters.length === 0 ? {} : { body: { canisters } }),
  });
  return afterStart(ctx, { deployId, runId }, invocation);
};

/** `cannery rollback <deploy> <run>` */
export const rollback: Command = async (ctx, invocation) => {
  const [name = '', instanceId = ''] = invocation.operands;
  const deployId = await findDeploy(ctx.api, name);
  const params = { id: deployId, instanceId };
  const { id: runId } = await ctx.api.call(deployEndpoints.rollback, { params });
  return afterStart(ctx, { deployId, runId }, invocation);
};
