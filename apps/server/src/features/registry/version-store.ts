import { sql } from 'kysely';
import type { Reader } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';

export interface VersionRow {
  readonly version: number;
  readonly identifier: string;
  readonly size: number;
  readonly created_at: Date;
}

/**
 * The versions of a registry that is known to be the caller's, newest first. Asked for by the registry alone: with the user
 * beside it, the database may read all versions of the user instead.
 */
export async function listVersions(db: Reader, registryId: string): Promise<VersionRow[]> {
  return db
    .selectFrom('registry_versions')
    .innerJoin('documents', (join) =>
      join
        .onRef('documents.user_id', '=', 'registry_versions.user_id')
        .onRef('documents.identifier', '=', 'registry_versions.identifier')
        .on('documents.kind', '=', 'wasm'),
    )
    .leftJoin('modules', 'modules.identifier', 'registry_versions.identifier')
    .select(({ fn }) => [
      'registry_versions.version',
      'registry_versions.identifier',
      'registry_versions.created_at',
      // What counts against the quota may be more than the bytes of the module; of an old one only that is known.
      fn.coalesce('modules.size', 'documents.size').as('size'),
    ])
    .where('registry_versions.registry_id', '=', registryId)
    .orderBy('registry_versions.version', 'desc')
    .execute();
}

/** The identifier of a version's module. @throws AppError not_found, also for a version of somebody else's registry */
export async function findVersion(
  db: Reader,
  userId: string,
  { id, version }: { id: string; version: number },
): Promise<string> {
  const row = await db
    .selectFrom('registry_versions')
    .select('identifier')
    .where('registry_id', '=', id)
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Version');
  return row.identifier;
}

/** A canister of a version. */
export interface CanisterOfVersion {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/**
 * Canisters of the user that a version of a registry was put into, by name: as it was written down then, and only while they have
 * that code.
 */
export async function canistersOfRegistry(
  db: Reader,
  userId: string,
  registryId: string,
): Promise<CanisterOfVersion[]> {
  const { rows } = await sql<CanisterOfVersion>`
    select id, name, (origin ->> 'version')::integer as version from canisters
    where user_id = ${userId} and origin ->> 'kind' = 'registry' and origin ->> 'registryId' = ${registryId}
      and module_hash = origin_hash
    order by name, id`.execute(db);
  return rows;
}
