import type { AppContext } from '../../../context.ts';
import type { Tx } from '../../../db/tx.ts';
import { pictureQueue } from '../../canister/pictures/picture-queue.ts';

/** Has pictures taken of the websites of a deploy once a run of it is live, in the transaction that ends the run. */
export async function orderPictures(
  ctx: AppContext,
  tx: Tx,
  run: { readonly id: string; readonly deploy_id: string },
): Promise<void> {
  if (!ctx.config.sitePictures) return;
  const site = await tx
    .selectFrom('deploy_canisters')
    .select('canister_id')
    .where('deploy_id', '=', run.deploy_id)
    .where('kind', '=', 'site')
    .limit(1)
    .executeTakeFirst();
  if (site !== undefined) await ctx.jobs.send(tx, pictureQueue, { instanceId: run.id });
}
