import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DappVersionsTable } from '../../db/marketplace-tables.ts';
import type { Reader, Tx } from '../../db/tx.ts';

export type DappVersionRow = Selectable<DappVersionsTable>;

/** What the newest version of a dapp is. */
export interface NewestVersion {
  readonly dappId: string;
  readonly version: string;
  readonly notes: string;
  readonly identifier: string;
}

export async function insertVersion(tx: Tx, version: NewestVersion): Promise<void> {
  await tx
    .insertInto('dapp_versions')
    .values({
      id: randomUUID(),
      dapp_id: version.dappId,
      version: version.version,
      notes: version.notes,
      identifier: version.identifier,
    })
    .execute();
}

/** The versions of a dapp, newest first. */
export async function listVersions(db: Reader, dappId: string): Promise<DappVersionRow[]> {
  return db
    .selectFrom('dapp_versions')
    .selectAll()
    .where('dapp_id', '=', dappId)
    .orderBy('seq', 'desc')
    .execute();
}

/** Renames the newest version of a dapp, or says otherwise what is new in it. */
export async function renameNewestVersion(
  tx: Tx,
  { dappId, version, notes }: { dappId: string; version: string; notes: string | undefined },
): Promise<void> {
  await tx
    .updateTable('dapp_versions')
    .set({ version, ...(notes !== undefined && { notes }) })
    .where('id', '=', (select) =>
      select
        .selectFrom('dapp_versions')
        .select('id')
        .where('dapp_id', '=', dappId)
        .orderBy('seq', 'desc')
        .limit(1),
    )
    .execute();
}
