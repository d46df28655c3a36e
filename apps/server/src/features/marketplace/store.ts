import { randomUUID } from 'node:crypto';
import { type DappKind, searchWords } from '@cannery/contract';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { DappsTable } from '../../db/marketplace-tables.ts';
import type { Schema } from '../../db/schema.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';

export type DappRow = Omit<Selectable<DappsTable>, 'words' | 'sample'> & { readonly username: string };

/** What a dapp is, with its uploader's name. */
export const dappColumns = [
  'dapps.id',
  'dapps.seq',
  'dapps.user_id',
  'dapps.name',
  'dapps.git_url',
  'dapps.description',
  'dapps.icon',
  'dapps.kind',
  'dapps.wasm',
  'dapps.version',
  'dapps.installs',
  'dapps.created_at',
  'dapps.updated_at',
  'dapps.withdrawn_at',
  'users.username',
] as const;

export type DappQuery = SelectQueryBuilder<Schema, 'dapps' | 'users', DappRow>;

/** Dapps, those that were withdrawn included. */
export function dappsWithUser(db: Reader): DappQuery {
  return db.selectFrom('dapps').innerJoin('users', 'users.id', 'dapps.user_id').select(dappColumns);
}

/** A dapp in the marketplace. @throws AppError not_found */
export async function findDapp(db: Reader, id: string): Promise<DappRow> {
  const row = await dappsWithUser(db)
    .where('dapps.id', '=', id)
    .where('dapps.withdrawn_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw notFound('Dapp');
  return row;
}

/**
 * A dapp that the user has in the marketplace, kept from changing until the transaction ends.
 * @throws AppError not_found, also for somebody else's
 */
export async function lockDapp(tx: Tx, userId: string, id: string): Promise<DappRow> {
  const row = await dappsWithUser(tx)
    .where('dapps.user_id', '=', userId)
    .where('dapps.id', '=', id)
    .where('dapps.withdrawn_at', 'is', null)
    .forNoKeyUpdate('dapps')
    .executeTakeFirst();
  if (row === undefined) throw notFound('Dapp');
  return row;
}

/** The dapp that a user has made from a sample and has in the marketplace; undefined when there is none. */
export async function findOffered(db: Reader, userId: string, sample: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('dapps')
    .select('id')
    .where('user_id', '=', userId)
    .where('sample', '=', sample)
    .where('withdrawn_at', 'is', null)
    .orderBy('seq')
    .executeTakeFirst();
  return row?.id;
}

/** Lets submissions of a user follow each other until the transaction ends. */
export async function lockSubmitter(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

/** How many dapps a user has in the marketplace. */
export async function countDapps(db: Reader, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('dapps')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('user_id', '=', userId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What is said of a dapp. */
export interface DappTexts {
  readonly name: string;
  readonly description: string;
  readonly username: string;
}

function wordsOf({ name, description, username }: DappTexts) {
  return sql<string>`array_to_tsvector(${searchWords(`${name} ${username} ${description}`)}::text[])`;
}

export interface NewDapp extends DappTexts {
  readonly userId: string;
  readonly gitUrl: string | null;
  readonly icon: string | null;
  readonly kind: DappKind | null;
  /** Name of the sample that it is; null for any other. */
  readonly sample: string | null;
  readonly wasm: string;
  readonly version: string;
}

export async function insertDapp(tx: Tx, dapp: NewDapp): Promise<string> {
  const id = randomUUID();
  await tx
    .insertInto('dapps')
    .values({
      id,
      user_id: dapp.userId,
      name: dapp.name,
      git_url: dapp.gitUrl,
      description: dapp.description,
      icon: dapp.icon,
      kind: dapp.kind,
      sample: dapp.sample,
      wasm: dapp.wasm,
      version: dapp.version,
      words: wordsOf(dapp),
      withdrawn_at: null,
    })
    .execute();
  return id;
}

export type DappChange = Pick<
  DappRow,
  'name' | 'description' | 'icon' | 'kind' | 'wasm' | 'version' | 'withdrawn_at'
>;

export async function saveDapp(
  tx: Tx,
  { id, username }: Pick<DappRow, 'id' | 'username'>,
  change: DappChange,
): Promise<void> {
  const words = wordsOf({ ...change, username });
  await tx
    .updateTable('dapps')
    .set({ ...change, words, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}
