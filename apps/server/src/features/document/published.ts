import { sql } from 'kysely';
import type { Reader, Tx } from '../../db/tx.ts';

/** Whether everybody signed in may install a module: it is a version of a dapp in the marketplace. */
export async function isPublishedModule(db: Reader, identifier: string): Promise<boolean> {
  const found = await db
    .selectFrom('dapp_versions')
    .innerJoin('dapps', 'dapps.id', 'dapp_versions.dapp_id')
    .select('dapps.id')
    .where('dapp_versions.identifier', '=', identifier)
    .where('dapps.withdrawn_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Counts an installation for the dapp that has published the module before all others. */
export async function countInstall(tx: Tx, identifier: string): Promise<void> {
  await tx
    .updateTable('dapps')
    .set({ installs: sql<number>`installs + 1` })
    .where('id', '=', (select) =>
      select
        .selectFrom('dapp_versions')
        .select('dapp_id')
        .where('identifier', '=', identifier)
        .orderBy('seq')
        .limit(1),
    )
    .execute();
}
