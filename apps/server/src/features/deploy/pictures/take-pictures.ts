import type { BuildMachine } from '../../../builders/machine/build-machine.ts';
import type { AppContext } from '../../../context.ts';
import { storePicture } from '../../document/store-upload.ts';
import { canTakePictures, takePicture } from '../../../site-picture/take-picture.ts';

/** Websites of one deploy that get a picture. */
const MOST_SITES = 4;

/**
 * Takes pictures of the websites of a deploy as a run of it has left them. What cannot be taken is for the operator's log:
 * nothing becomes of the run.
 */
export async function takePictures(
  ctx: AppContext,
  machine: BuildMachine,
  instanceId: string,
  signal: AbortSignal,
): Promise<void> {
  if (!canTakePictures(machine)) return;
  const sites = await ctx.db
    .selectFrom('deploy_instances')
    .innerJoin('deploy_canisters', 'deploy_canisters.deploy_id', 'deploy_instances.deploy_id')
    .select(['deploy_canisters.deploy_id', 'deploy_canisters.canister_id'])
    .where('deploy_instances.id', '=', instanceId)
    .where('deploy_canisters.kind', '=', 'site')
    // A newer run has its own job, and what is live is of that one.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deploy_instances as newer')
            .select('newer.id')
            .whereRef('newer.deploy_id', '=', 'deploy_instances.deploy_id')
            .whereRef('newer.seq', '>', 'deploy_instances.seq')
            .where('newer.status', '=', 'COMPLETED'),
        ),
      ),
    )
    .orderBy('deploy_canisters.created_at')
    .limit(MOST_SITES)
    .execute();
  for (const { deploy_id, canister_id } of sites) {
    const address = ctx.addresses.canisterUrlPattern.replaceAll('{canisterId}', canister_id);
    try {
      const picture = await takePicture({ ...machine, egress: ctx.egress }, address, signal);
      const identifier = await storePicture(ctx, picture);
      await keepPicture(ctx, { deploy_id, canister_id, instance_id: instanceId, identifier });
    } catch (error) {
      signal.throwIfAborted();
      ctx.log.info(
        { err: error, instanceId, canisterId: canister_id },
        'no picture of a site could be taken',
      );
    }
  }
}

interface SitePicture {
  readonly deploy_id: string;
  readonly canister_id: string;
  /** The run that it shows. */
  readonly instance_id: string;
  /** In the blob store. */
  readonly identifier: string;
}

/** Keeps a picture instead of an earlier one, unless the deploy or its canister is gone by now. */
async function keepPicture(ctx: AppContext, picture: SitePicture): Promise<void> {
  await ctx.transact(async (tx) => {
    const canister = await tx
      .selectFrom('deploy_canisters')
      .select('canister_id')
      .where('deploy_id', '=', picture.deploy_id)
      .where('canister_id', '=', picture.canister_id)
      .forShare()
      .executeTakeFirst();
    if (canister === undefined) return;
    await tx
      .insertInto('site_pictures')
      .values(picture)
      .onConflict((conflict) =>
        conflict.column('canister_id').doUpdateSet({ ...picture, picture: null, taken_at: new Date() }),
      )
      .execute();
  });
}
