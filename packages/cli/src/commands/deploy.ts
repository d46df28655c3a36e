import { deployEndpoints } from '@cannery/contract';
import { findDeploy } from '../find-deploy.ts';
import type { Command } from './command-context.ts';
import { afterStart } from './see-through.ts';

/** `cannery deploy <deploy>` */
export const deploy: Command = async (ctx, invocation) => {
  const [name = ''] = invocation.operands;
  const deployId = await findDeploy(ctx.api, name);
  const { id: runId } = await ctx.api.call(deployEndpoints.trigger, { params: { id: deployId } });
  return afterStart(ctx, { deployId, runId }, invocation);
};
