import { deployEndpoints } from '@cannery/contract';
import { CliError, exitCodes } from '../cli-error.ts';
import { findDeploy } from '../find-deploy.ts';
import type { Command } from './command-context.ts';
import { seeThrough } from './start-run.ts';

/** `cannery logs <deploy> [run]` */
export const logs: Command = async (ctx, invocation) => {
  const { api, output } = ctx;
  const [name = '', given] = invocation.operands;
  const deployId = await findDeploy(api, name);
  const runId = given ?? (await latestRun());
  if (invocation.follow) return seeThrough(ctx, { deployId, runId }, invocation);
  const run = await api.call(deployEndpoints.instance, { params: { id: deployId, instanceId: runId } });
  if (invocation.json) output.printJson(run);
  else for (const line of linesOf(run.logs ?? '')) output.printLog(line);
  return exitCodes.completed;

  async function latestRun(): Promise<string> {
    const { data } = await api.call(deployEndpoints.instances, { params: { id: deployId } });
    const [latest] = data;
    if (latest === undefined) throw new CliError(exitCodes.missing, 'This deploy has never run.');
    return latest.id;
  }
};

function linesOf(log: string): string[] {
  return log === '' ? [] : log.replace(/\n$/, '').split('\n');
}
