import { deployEndpoints } from '@cannery/contract';
import { findDeploy } from '../find-deploy.ts';
import type { Command } from './command-context.ts';
import { afterStart } from './see-through.ts';

/** `cannery rollback <deploy> <run>` */
export const rollback: Command = async (ctx, invocation) => {
  const [name = '', instanceId = ''] = invocation.operands;
  const deployId = await findDeploy(ctx.api, name);
  const params = { id: deployId, instanceId };
  const { id: runId } = await ctx.api.call(deployEndpoints.rollback, { params });
  return afterStart(ctx, { deployId, runId }, invocation);
};
