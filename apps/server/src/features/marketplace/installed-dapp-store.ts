import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { DappUpgradesTable } from '../../db/tables/marketplace-tables.ts';
import type { Reader, Tx } from '../../db/tx.ts';

/** A canister of a user that runs a version of a dapp. */
export interface InstalledDappRow {
  readonly canister_id: string;
  readonly canister_name: string;
  readonly status: string;
  readonly module_hash: string;
  readonly serves_http: boolean | null;
  /** Digest of the picture that shows the code it has; null where there is none. */
  readonly picture: string | null;
  readonly dapp_id: string;
  readonly dapp_name: string;
  /** Username of its uploader. */
  readonly publisher: string;
  readonly version: string;
  readonly withdrawn: boolean;
  readonly newest_id: string;
  readonly newest_identifier: string;
  readonly newest_version: string;
  readonly newest_notes: string;
  /** Of its last upgrade; null where there was none. */
  readonly snapshot_id: string | null;
  readonly earlier_version: string | null;
  readonly taken_at: Date | null;
}

/**
 * That a canister `c` has a version of a dapp: by what was written down when the code was put in, and only while it has that
 * code. A canister of a deploy has what its runs give it.
 */
export const isInstance: RawBuilder<boolean> = sql`(
  c.origin ->> 'kind' = 'dapp' and c.module_hash = c.origin_hash
  and not exists (select 1 from deploy_canisters dc where dc.canister_id = c.id)
)`;

/**
 * The canisters of a user that have a version of a dapp, newest first.
 * @param canisterId only this one
 */
export async function listInstalledDapps(
  db: Reader,
  userId: string,
  canisterId?: string,
): Promise<InstalledDappRow[]> {
  const { rows } = await sql<InstalledDappRow>`
    select c.id as canister_id, c.name as canister_name, c.status, c.module_hash,
      (c.origin ->> 'servesHttp')::boolean as serves_http, t.digest as picture, d.id as dapp_id, d.name as dapp_name,
      p.username as publisher, v.version, d.withdrawn_at is not null as withdrawn, n.id as newest_id,
      n.identifier as newest_identifier, n.version as newest_version, n.notes as newest_notes, u.snapshot_id,
      u.version as earlier_version, u.taken_at
    from canisters c
    join dapp_versions v on v.id = c.origin ->> 'versionId'
    join dapps d on d.id = v.dapp_id
    join users p on p.id = d.user_id
    cross join lateral (
      select id, identifier, version, notes from dapp_versions where dapp_id = d.id order by seq desc limit 1
    ) n
    left join canister_pictures t on t.canister_id = c.id and t.module_hash = c.module_hash
    left join dapp_upgrades u
      on u.canister_id = c.id and u.module_hash <> c.module_hash and u.to_version = v.id
    where c.user_id = ${userId} and (${canisterId ?? null}::text is null or c.id = ${canisterId ?? null})
      and ${isInstance}
    order by c.created_at desc, c.id`.execute(db);
  return rows;
}

/** The snapshot that the last upgrade of a canister has taken. */
export async function findWayBack(
  db: Reader,
  { userId, canisterId }: { userId: string; canisterId: string },
): Promise<
  Pick<Selectable<DappUpgradesTable>, 'snapshot_id' | 'version' | 'module_hash' | 'to_version'> | undefined
> {
  return db
    .selectFrom('dapp_upgrades')
    .select(['snapshot_id', 'version', 'module_hash', 'to_version'])
    .where('user_id', '=', userId)
    .where('canister_id', '=', canisterId)
    .executeTakeFirst();
}

/** Keeps the way back from an upgrade, instead of that of an earlier one. */
export async function keepWayBack(
  tx: Tx,
  upgrade: {
    canisterId: string;
    userId: string;
    snapshotId: string;
    version: string;
    moduleHash: string;
    toVersion: string | null;
  },
): Promise<void> {
  const kept = {
    snapshot_id: upgrade.snapshotId,
    version: upgrade.version,
    module_hash: upgrade.moduleHash,
    to_version: upgrade.toVersion,
    taken_at: new Date(),
  };
  await tx
    .insertInto('dapp_upgrades')
    .values({ canister_id: upgrade.canisterId, user_id: upgrade.userId, ...kept })
    .onConflict((conflict) => conflict.column('canister_id').doUpdateSet(kept))
    .execute();
}

export async function forgetWayBack(tx: Tx, canisterId: string): Promise<void> {
  await tx.deleteFrom('dapp_upgrades').where('canister_id', '=', canisterId).execute();
}
