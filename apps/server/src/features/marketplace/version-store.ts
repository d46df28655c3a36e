import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { DappVersionsTable } from '../../db/tables/marketplace-tables.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';

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

/** The versions of a dapp, newest first, with the bytes of their modules where they are known. */
export async function listVersions(
  db: Reader,
  dappId: string,
): Promise<(DappVersionRow & { size: number | null })[]> {
  return db
    .selectFrom('dapp_versions')
    .leftJoin('modules', 'modules.identifier', 'dapp_versions.identifier')
    .selectAll('dapp_versions')
    .select('modules.size')
    .where('dapp_id', '=', dappId)
    .orderBy('seq', 'desc')
    .execute();
}

/** The module of a version of a dapp in the marketplace. @throws AppError not_found */
export async function findPublished(db: Reader, versionId: string): Promise<string> {
  const row = await db
    .selectFrom('dapp_versions')
    .innerJoin('dapps', 'dapps.id', 'dapp_versions.dapp_id')
    .select('dapp_versions.identifier')
    .where('dapp_versions.id', '=', versionId)
    .where('dapps.withdrawn_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Version');
  return row.identifier;
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
