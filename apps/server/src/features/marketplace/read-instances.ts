import type { DappInstance } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import { takenPictureAddress } from '../../http/site-pictures.ts';
import { type InstalledDappRow, listInstalledDapps } from './installed-dapp-store.ts';

/** The canisters of the user that have a version of a dapp. */
export async function readInstances(ctx: AppContext, user: Actor): Promise<DappInstance[]> {
  return (await listInstalledDapps(ctx.db, user.id)).map((row) => toAnswer(ctx, row));
}

function toAnswer({ addresses }: Pick<AppContext, 'addresses'>, row: InstalledDappRow): DappInstance {
  const { snapshot_id, earlier_version: version, taken_at } = row;
  const isNewest = row.module_hash === row.newest_identifier;
  return {
    canister_id: row.canister_id,
    canister_name: row.canister_name,
    dapp_id: row.dapp_id,
    dapp_name: row.dapp_name,
    publisher: row.publisher,
    module_hash: row.module_hash,
    serves_http: row.serves_http === true,
    picture: row.picture === null ? null : takenPictureAddress(addresses, row.canister_id, row.picture),
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
