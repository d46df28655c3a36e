import type { DappInstance } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { AppError, notFound } from '../../errors.ts';
import { installDocument } from '../canister/install-code.ts';
import { setRunning } from '../canister/set-running.ts';
import { listSnapshots, restoreSnapshot, takeSnapshot } from '../canister/snapshots.ts';
import { findCanister } from '../canister/store.ts';
import {
  findUpgrade,
  forgetUpgrade,
  type InstanceRow,
  keepUpgrade,
  listInstances,
} from './instance-store.ts';

/** The canisters of the user that run a version of a dapp. */
export async function readInstances(ctx: AppContext, user: Actor): Promise<DappInstance[]> {
  return (await listInstances(ctx.db, user.id)).map(toAnswer);
}

function toAnswer(row: InstanceRow): DappInstance {
  const { snapshot_id, earlier_version: version, taken_at } = row;
  const isNewest = row.module_hash === row.newest_identifier;
  return {
    canister_id: row.canister_id,
    canister_name: row.canister_name,
    dapp_id: row.dapp_id,
    dapp_name: row.dapp_name,
    version: row.version,
    withdrawn: row.withdrawn,
    update:
      row.withdrawn || isNewest
        ? null
        : { version: row.newest_version, identifier: row.newest_identifier, notes: row.newest_notes },
    way_back:
      snapshot_id === null || version === null || taken_at === null
        ? null
        : { version, snapshot_id, taken_at: taken_at.toISOString() },
  };
}

/**
 * Upgrades a canister to the newest version of its dapp. A snapshot of code and data is taken first, in the place of that
 * of an earlier upgrade. A canister that ran runs again afterwards, also when the upgrade fails.
 * @param input.identifier the version that the user has seen; another one is not installed
 * @throws AppError not_found for a canister that is not the user's and when there is no such update, and what stopping, snapshot and installation throw
 */
export async function upgradeInstance(
  ctx: AppContext,
  user: Actor,
  { canisterId, identifier, argumentHex }: { canisterId: string; identifier: string; argumentHex?: string },
): Promise<void> {
  const { id, module_hash: hash } = await findCanister(ctx.db, user.id, canisterId);
  // The answer to an earlier request for the same may have got lost.
  if (hash === identifier) return;
  const [instance] = await listInstances(ctx.db, user.id, id);
  if (instance === undefined || instance.withdrawn || instance.newest_identifier !== identifier) {
    throw new AppError('not_found', 'There is no such update for this canister (any more).');
  }
  await whileStopped(ctx, user, id, async () => {
    const earlier = await findUpgrade(ctx.db, { userId: user.id, canisterId: id });
    const snapshots = earlier === undefined ? [] : await listSnapshots(ctx, user, { canisterId: id });
    const replace = snapshots.find((snapshot) => snapshot.id === earlier?.snapshot_id)?.id;
    const { id: snapshotId } = await takeSnapshot(ctx, user, {
      canisterId: id,
      ...(replace !== undefined && { replace }),
    });
    const { version, module_hash: moduleHash } = instance;
    await ctx.transact((tx) =>
      keepUpgrade(tx, { canisterId: id, userId: user.id, snapshotId, version, moduleHash }),
    );
    await installDocument(ctx, user, { canisterId: id, identifier, mode: 'upgrade', argumentHex });
  });
}

/**
 * Puts a canister back to what it was before its last upgrade, code and data.
 * @throws AppError not_found for a canister that is not the user's or was not upgraded, or whose snapshot is gone
 */
export async function goBack(ctx: AppContext, user: Actor, canisterId: string): Promise<void> {
  const { id } = await findCanister(ctx.db, user.id, canisterId);
  const upgrade = await findUpgrade(ctx.db, { userId: user.id, canisterId: id });
  if (upgrade === undefined) throw notFound('Upgrade');
  const snapshots = await listSnapshots(ctx, user, { canisterId: id });
  if (!snapshots.some((snapshot) => snapshot.id === upgrade.snapshot_id)) {
    await ctx.transact((tx) => forgetUpgrade(tx, id));
    throw new AppError('not_found', 'The snapshot that the upgrade has taken is not there any more.');
  }
  await whileStopped(ctx, user, id, () =>
    restoreSnapshot(ctx, user, { canisterId: id, snapshotId: upgrade.snapshot_id }),
  );
  await ctx.transact((tx) => forgetUpgrade(tx, id));
}

/** Stops a canister for a piece of work, and starts it again if it ran, however the work ends. */
async function whileStopped(
  ctx: AppContext,
  user: Actor,
  canisterId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { status } = await ctx.ic.status(canisterId);
  if (status === 'stopped') {
    await work();
    return;
  }
  await setRunning(ctx, user, { canisterId, running: false });
  try {
    await work();
  } finally {
    await setRunning(ctx, user, { canisterId, running: true });
  }
}
