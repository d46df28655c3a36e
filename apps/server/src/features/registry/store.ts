import type { RegistryAnswer } from '@cannery/contract';
import { type Selectable, sql } from 'kysely';
import type { RegistriesTable } from '../../db/tables/registry-tables.ts';
import { Quota } from '../../db/quota.ts';
import { type SearchKeys, searchKeys } from '../../db/search-keys.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { AppError, notFound } from '../../errors.ts';

export type RegistryRow = Omit<Selectable<RegistriesTable>, keyof SearchKeys>;

/** What a registry is, without what it is found by. */
export const registryColumns = ['id', 'user_id', 'name', 'version', 'identifier', 'created_at'] as const;

/** A registry as the API answers it. */
export function registryAnswer(row: RegistryRow): RegistryAnswer {
  return {
    id: row.id,
    name: row.name,
    wasm_identifier: row.identifier,
    version: row.version,
    created_at: row.created_at.toISOString(),
  };
}

/** Newest first. */
export async function listRegistries(db: Reader, userId: string): Promise<RegistryRow[]> {
  return db
    .selectFrom('registries')
    .select(registryColumns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** @throws AppError not_found, also for somebody else's registry */
export async function findRegistry(db: Reader, userId: string, id: string): Promise<RegistryRow> {
  const row = await db
    .selectFrom('registries')
    .select(registryColumns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Registry');
  return row;
}

/**
 * The registry, kept from changing until the transaction ends.
 * @throws AppError not_found, also for somebody else's registry
 */
export async function lockRegistry(tx: Tx, userId: string, id: string): Promise<RegistryRow> {
  const row = await tx
    .selectFrom('registries')
    .select(registryColumns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw notFound('Registry');
  return row;
}

/** Far above what anybody keeps by hand; a script that adds without end meets it. */
export const MOST_REGISTRIES = 20_000;

const registries = new Quota({
  name: 'registries',
  used: (userId) => sql<number>`(select count(*) from registries where user_id = ${userId})`,
  refusal: (limit) => new AppError('quota_reached', `You can keep ${limit} registries. Delete one first.`),
});

interface NewRegistry {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly identifier: string;
}

/** @throws AppError quota_reached */
export async function insertRegistry(tx: Tx, registry: NewRegistry): Promise<void> {
  const { userId } = registry;
  await registries.add(tx, { userId, limit: MOST_REGISTRIES, adds: 1 }, () => insert(tx, registry));
}

async function insert(tx: Tx, { id, userId, name, identifier }: NewRegistry): Promise<void> {
  await tx
    .insertInto('registries')
    .values({ id, user_id: userId, name, version: 1, identifier, ...searchKeys(userId, name) })
    .execute();
  await insertVersion(tx, { registryId: id, userId, version: 1, identifier });
}

/** Writes name and newest version; the version's row is written where there is a new one. */
export async function saveRegistry(tx: Tx, before: RegistryRow, next: RegistryRow): Promise<void> {
  const { name, version, identifier } = next;
  await tx
    .updateTable('registries')
    .set({ name, version, identifier, ...searchKeys(before.user_id, name) })
    .where('id', '=', before.id)
    .where('user_id', '=', before.user_id)
    .execute();
  if (version === before.version) return;
  await insertVersion(tx, { registryId: before.id, userId: before.user_id, version, identifier });
}

async function insertVersion(
  tx: Tx,
  version: { registryId: string; userId: string; version: number; identifier: string },
): Promise<void> {
  await tx
    .insertInto('registry_versions')
    .values({
      registry_id: version.registryId,
      user_id: version.userId,
      version: version.version,
      identifier: version.identifier,
    })
    .execute();
}

/** Its versions go with it. @throws AppError not_found, also for somebody else's registry */
export async function deleteRegistry(tx: Tx, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('registries')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('Registry');
}
