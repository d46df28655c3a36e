import { sql } from 'kysely';
import type { CodeOrigin } from '../../db/tables/code-origin.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';

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

/** The newest version of a dapp in the marketplace that has a module. @throws AppError not_found */
export async function findPublishedOrigin(
  db: Reader,
  { dappId, identifier }: { dappId: string; identifier: string },
): Promise<CodeOrigin> {
  const row = await db
    .selectFrom('dapp_versions')
    .innerJoin('dapps', 'dapps.id', 'dapp_versions.dapp_id')
    .innerJoin('users', 'users.id', 'dapps.user_id')
    .select(['dapp_versions.id', 'dapp_versions.version', 'dapps.name', 'users.username'])
    .where('dapps.id', '=', dappId)
    .where('dapp_versions.identifier', '=', identifier)
    .where('dapps.withdrawn_at', 'is', null)
    .orderBy('dapp_versions.seq', 'desc')
    .executeTakeFirst();
  if (row === undefined) throw notFound('Version');
  const { id: versionId, name, version, username: publisher } = row;
  return { kind: 'dapp', dappId, versionId, name, version, publisher };
}

/** Counts an installation of a dapp. */
export async function countInstall(tx: Tx, dappId: string): Promise<void> {
  await tx
    .updateTable('dapps')
    .set({ installs: sql<number>`installs + 1` })
    .where('id', '=', dappId)
    .execute();
}
