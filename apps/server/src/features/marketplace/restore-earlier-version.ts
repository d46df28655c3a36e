import type { Actor, AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { returnCode } from '../canister/change/change-code.ts';
import { type CanisterRow, findCanister } from '../canister/core/store.ts';
import { changeVersion, expectCode } from './change-version.ts';
import { dappCause } from './dapp-cause.ts';
import { findWayBack, forgetWayBack } from './installed-dapp-store.ts';

/**
 * Puts a canister back to what it was before its last upgrade, code and data. The snapshot goes with it.
 * @param input.key what the client calls this request: of requests of one key, one is carried out
 * @throws AppError not_found for a canister that is not the user's or was not upgraded, or whose snapshot is gone
 */
export async function restoreEarlierVersion(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; key?: string },
): Promise<void> {
  const { id } = await findCanister(ctx.db, user.id, input.canisterId);
  await changeVersion(ctx, user, {
    canisterId: id,
    request: { userId: user.id, key: input.key, content: ['back', id] },
    async change(canister, fields) {
      const upgrade = await findWayBack(ctx.db, { userId: user.id, canisterId: id });
      const { module_hash: current } = canister;
      if (upgrade === undefined || current === null || !leadsBack(upgrade, canister))
        throw notFound('Upgrade');
      await expectCode(ctx, { id, moduleHash: current }, 'there is no way back from it');
      const { snapshot_id: snapshotId, module_hash: before } = upgrade;
      if (!(await ctx.ic.snapshots.list(id)).some((snapshot) => snapshot.id === snapshotId)) {
        await ctx.transact((tx) => forgetWayBack(tx, id));
        throw new AppError('not_found', 'The snapshot that the upgrade has taken is not there any more.');
      }
      await returnCode(ctx, user, canister, { cause: dappCause, before, current, snapshotId, fields });
      ctx.failpoint('back.ended');
    },
  });
}

/** Whether the canister is still what the upgrade has made of it; a canister of before that was recorded goes back all the same. */
function leadsBack(
  upgrade: { module_hash: string; to_version: string | null },
  canister: CanisterRow,
): boolean {
  const { origin, origin_hash: recorded, module_hash: hash } = canister;
  if (upgrade.module_hash === hash || hash !== recorded) return false;
  return upgrade.to_version === null || (origin.kind === 'dapp' && origin.versionId === upgrade.to_version);
}
