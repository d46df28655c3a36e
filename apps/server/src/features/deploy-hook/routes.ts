import { randomUUID } from 'node:crypto';
import { deployHookEndpoints } from '@cannery/contract';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { type Route, route } from '../../http/route.ts';
import { newSecret } from '../../secrets.ts';
import { findDeploy, lockDeploy } from '../deploy/store/store.ts';
import { hookAddress, sealingPlace } from './hook-place.ts';
import { deleteHook, findHook, hookAnswer, saveHook } from './store.ts';

/** Webhooks of deploys, for those who set them up. */
export function deployHookRoutes(ctx: AppContext): Route[] {
  return [
    route(deployHookEndpoints.one, async ({ user, params }) => {
      const { id: deployId } = await findDeploy(ctx.db, user.id, params.id);
      const hook = await findHook(ctx.db, user.id, deployId);
      return { hook: hook === undefined ? null : hookAnswer(hook, hookAddress(ctx, hook.id)) };
    }),
    route(deployHookEndpoints.renew, ({ user, params }) =>
      ctx.transact(async (tx) => {
        const deploy = await lockDeploy(tx, user.id, params.id);
        if (deploy.repo_url === null) {
          throw new AppError(
            'invalid_input',
            "A push to a repository of this console needs no webhook. Switch 'Deploy on push' on.",
          );
        }
        const sealer = await ctx.sealing.sealer(tx);
        // The git host keeps the address that it has.
        const id = (await findHook(tx, user.id, deploy.id))?.id ?? randomUUID();
        const secret = newSecret();
        const sealed = sealer.seal(secret, sealingPlace(id));
        const hook = await saveHook(tx, { id, deployId: deploy.id, sealed });
        return { ...hookAnswer(hook, hookAddress(ctx, id)), secret };
      }),
    ),
    route(deployHookEndpoints.delete, ({ user, params }) =>
      ctx.transact(async (tx) => {
        const { id: deployId } = await lockDeploy(tx, user.id, params.id);
        await deleteHook(tx, deployId);
        return { message: 'The webhook is off.' };
      }),
    ),
  ];
}
