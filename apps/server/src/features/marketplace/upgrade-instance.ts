import { MAX_SNAPSHOTS } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import type { CodeOrigin } from '../../db/tables/code-origin.ts';
import { AppError } from '../../errors.ts';
import { codeToInstall, putCode } from '../canister/code/install-code.ts';
import { addSnapshot } from '../canister/snapshots/snapshots.ts';
import { type CanisterRow, findCanister } from '../canister/core/store.ts';
import { changeVersion, expectCode } from './change-version.ts';
import { findWayBack, listInstalledDapps } from './installed-dapp-store.ts';
import { noteSnapshot, type PlannedChange } from './version-change-store.ts';

/**
 * Upgrades a canister to the newest version of its dapp. A snapshot of code and data is taken first; when the upgrade is
 * done it is the way back, and that of an earlier upgrade is deleted. A canister that ran runs again afterwards, and an
 * upgrade that fails leaves it as it was.
 * @param input.identifier the version that the user has seen; another one is not installed
 * @param input.key what the client calls this request: of requests of one key, one is carried out
 * @throws AppError not_found for a canister that is not the user's and when there is no such update, and what stopping,
 * snapshot and installation throw
 */
export async function upgradeInstance(
  ctx: AppContext,
  user: Actor,
  input: { canisterId: string; identifier: string; argumentHex?: string; key?: string },
): Promise<void> {
  const { identifier, argumentHex, key } = input;
  const { id } = await findCanister(ctx.db, user.id, input.canisterId);
  // The answer to an earlier request for the same may have got lost.
  const [instance] = await listInstalledDapps(ctx.db, user.id, id);
  if (instance?.module_hash === identifier) return;
  await changeVersion(ctx, user, {
    canisterId: id,
    request: { userId: user.id, key, content: ['upgrade', id, identifier, argumentHex ?? null] },
    async plan(canister) {
      const plan = await planUpgrade(ctx, user, id, identifier);
      if (plan === undefined) return undefined;
      const { change, origin } = plan;
      const code = await codeToInstall(ctx, user, { identifier, argumentHex });
      return { change, work: () => upgrade(ctx, user, canister, { ...code, origin }) };
    },
  });
}

async function planUpgrade(
  ctx: AppContext,
  user: Actor,
  id: string,
  identifier: string,
): Promise<{ change: PlannedChange; origin: CodeOrigin } | undefined> {
  const [instance] = await listInstalledDapps(ctx.db, user.id, id);
  if (instance?.module_hash === identifier) return undefined;
  if (instance === undefined || instance.withdrawn || instance.newest_identifier !== identifier) {
    throw new AppError('not_found', 'This update is no longer available for the canister.');
  }
  const { version, module_hash: moduleHash } = instance;
  await expectCode(ctx, { id, moduleHash }, 'the dapp has no updates for it');
  const snapshots = await ctx.ic.snapshots.list(id);
  const { dapp_id: dappId, newest_id: versionId, dapp_name: name, publisher } = instance;
  return {
    origin: { kind: 'dapp', dappId, versionId, name, version: instance.newest_version, publisher },
    change: {
      kind: 'upgrade',
      targetHash: identifier,
      before: { version, moduleHash },
      snapshotsBefore: snapshots.map((snapshot) => snapshot.id),
      snapshotId: null,
    },
  };
}

async function upgrade(
  ctx: AppContext,
  user: Actor,
  canister: CanisterRow,
  code: { wasm: Uint8Array; arg: Uint8Array; origin: CodeOrigin },
): Promise<void> {
  const { id } = canister;
  const { id: snapshotId } = await addSnapshot(ctx, user, id, await snapshotToReplace(ctx, user, id));
  ctx.failpoint('upgrade.taken');
  await ctx.transact((tx) => noteSnapshot(tx, id, snapshotId));
  ctx.failpoint('upgrade.kept');
  await putCode(ctx, user, canister, { ...code, mode: 'upgrade' });
  ctx.failpoint('upgrade.installed');
}

/** The snapshot of an earlier upgrade, where there is room for no other one. */
async function snapshotToReplace(ctx: AppContext, user: Actor, id: string): Promise<string | undefined> {
  const snapshots = await ctx.ic.snapshots.list(id);
  if (snapshots.length < MAX_SNAPSHOTS) return undefined;
  const earlier = await findWayBack(ctx.db, { userId: user.id, canisterId: id });
  return snapshots.find((snapshot) => snapshot.id === earlier?.snapshot_id)?.id;
}
