import { deployEndpoints } from '@cannery/contract';
import { findDeploy } from '../find-deploy.ts';
import type { Command } from './command-context.ts';
import { afterStart } from './see-through.ts';

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
