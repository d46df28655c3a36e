import { deployEndpoints, isFinished } from '@cannery/contract';
import { CliError, exitCodes } from '../cli-error.ts';
import { findDeploy } from '../find-deploy.ts';
import type { Command } from './command-context.ts';

/** `cannery cancel <deploy> [run]` */
export const cancel: Command = async ({ api, output }, { operands: [name = '', given], json }) => {
  const id = await findDeploy(api, name);
  const instanceId = given ?? (await openRun());
  const run = await api.call(deployEndpoints.cancel, { params: { id, instanceId } });
  if (json) output.printJson({ deploy_id: id, run_id: instanceId, status: run.status });
  else output.print(instanceId);
  output.note(isFinished(run.status) ? `The run is over: ${run.status}` : 'The run is being cancelled.');
  return exitCodes.completed;

  /** The run under way, or the one that waits. */
  async function openRun(): Promise<string> {
    const { data } = await api.call(deployEndpoints.instances, { params: { id } });
    const open = data.filter(({ status }) => !isFinished(status));
    const found = open.find(({ status }) => status === 'RUNNING') ?? open.at(-1);
    if (found === undefined)
      throw new CliError(exitCodes.missing, 'No run of this deploy waits or is under way.');
    return found.id;
  }
};
