import { MAX_SNAPSHOTS } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import type { CodeOrigin } from '../../db/tables/code-origin.ts';
import { AppError } from '../../errors.ts';
import { upgradeCode } from '../canister/change/change-code.ts';
import { codeToInstall } from '../canister/code/install-code.ts';
import { findCanister } from '../canister/core/store.ts';
import { changeVersion, expectCode } from './change-version.ts';
import { dappCause } from './dapp-cause.ts';
import { findWayBack, listInstalledDapps } from './installed-dapp-store.ts';

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
    async change(canister, fields) {
      const update = await findUpdate(ctx, user, id, identifier);
      if (update === undefined) return;
      const code = await codeToInstall(ctx, user, { identifier, argumentHex });
      await upgradeCode(ctx, user, canister, {
        cause: dappCause,
        upgrade: {
          code: { ...code, origin: update.origin },
          before: update.before,
          target: identifier,
          fields: { ...fields, before_version: update.version },
          replaced: (there) => snapshotToReplace(ctx, user, id, there),
          keep: async (take) => void (await take()),
        },
      });
      ctx.failpoint('upgrade.ended');
    },
  });
}

/** What runs, and where the newest version comes from; undefined when that runs already. */
async function findUpdate(
  ctx: AppContext,
  user: Actor,
  id: string,
  identifier: string,
): Promise<{ before: string; version: string; origin: CodeOrigin } | undefined> {
  const [instance] = await listInstalledDapps(ctx.db, user.id, id);
  if (instance?.module_hash === identifier) return undefined;
  if (instance === undefined || instance.withdrawn || instance.newest_identifier !== identifier) {
    throw new AppError('not_found', 'This update is no longer available for the canister.');
  }
  const { version, module_hash: before } = instance;
  await expectCode(ctx, { id, moduleHash: before }, 'the dapp has no updates for it');
  const { dapp_id: dappId, newest_id: versionId, dapp_name: name, publisher } = instance;
  return {
    before,
    version,
    origin: { kind: 'dapp', dappId, versionId, name, version: instance.newest_version, publisher },
  };
}

/** The snapshot of an earlier upgrade, where there is room for no other one. */
async function snapshotToReplace(
  ctx: AppContext,
  user: Actor,
  id: string,
  there: readonly string[],
): Promise<string | undefined> {
  if (there.length < MAX_SNAPSHOTS) return undefined;
  const earlier = await findWayBack(ctx.db, { userId: user.id, canisterId: id });
  return there.find((snapshot) => snapshot === earlier?.snapshot_id);
}
