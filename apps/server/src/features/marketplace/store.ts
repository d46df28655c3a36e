import { randomUUID } from 'node:crypto';
import { type DappKind, MAX_DAPPS, searchWords } from '@cannery/contract';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { DappsTable } from '../../db/tables/marketplace-tables.ts';
import { Quota } from '../../db/quota.ts';
import type { Schema } from '../../db/tables/schema.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { AppError, notFound } from '../../errors.ts';

export type DappRow = Omit<Selectable<DappsTable>, 'words' | 'sample' | 'rating_sum'> & {
  readonly username: string;
};

/** What a dapp is, with its uploader's name. */
export const dappColumns = [
  'dapps.id',
  'dapps.seq',
  'dapps.user_id',
  'dapps.name',
  'dapps.git_url',
  'dapps.description',
  'dapps.icon',
  'dapps.picture',
  'dapps.picture_of',
  'dapps.kind',
  'dapps.wasm',
  'dapps.version',
  'dapps.installs',
  'dapps.rating',
  'dapps.ratings',
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

/** The dapp in the marketplace that is a sample of the product; undefined when there is none. */
export async function findOffered(db: Reader, sample: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('dapps')
    .select('id')
    .where('sample', '=', sample)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  return row?.id;
}

/** What is said of a dapp. */
interface DappTexts {
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
  readonly wasm: string;
  readonly version: string;
}

/** Those that were withdrawn are no longer in the marketplace. */
const dapps = new Quota({
  name: 'dapps',
  used: (userId) =>
    sql<number>`(select count(*) from dapps where user_id = ${userId} and withdrawn_at is null)`,
  refusal: (limit) =>
    new AppError(
      'quota_reached',
      `You have ${limit} dapps in the marketplace, which is the limit. Delete one first.`,
    ),
});

/** @throws AppError quota_reached */
export async function insertDapp(tx: Tx, dapp: NewDapp): Promise<string> {
  return dapps.add(tx, shareOf(dapp), async () => {
    const { id } = await rowsFor(tx, dapp, null).returning('id').executeTakeFirstOrThrow();
    return id;
  });
}

/**
 * Puts a sample of the product into the marketplace, unless it is there: the database has each sample once, whoever comes at
 * the same time.
 * @param sample its name as a sample
 * @returns its id; undefined when it is there
 * @throws AppError quota_reached
 */
export async function insertSample(tx: Tx, dapp: NewDapp, sample: string): Promise<string | undefined> {
  return dapps.add(tx, shareOf(dapp), async () => {
    const row = await rowsFor(tx, dapp, sample)
      .onConflict((conflict) =>
        conflict
          .column('sample')
          .where('sample', 'is not', null)
          .where('withdrawn_at', 'is', null)
          .doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    return row?.id;
  });
}

/** Says which picture a new dapp has. */
export async function setPicture(
  tx: Tx,
  id: string,
  picture: Pick<DappRow, 'picture' | 'picture_of'>,
): Promise<void> {
  await tx.updateTable('dapps').set(picture).where('id', '=', id).execute();
}

const shareOf = ({ userId }: NewDapp) => ({ userId, limit: MAX_DAPPS, adds: 1 });

function rowsFor(tx: Tx, dapp: NewDapp, sample: string | null) {
  return tx.insertInto('dapps').values({
    id: randomUUID(),
    user_id: dapp.userId,
    name: dapp.name,
    git_url: dapp.gitUrl,
    description: dapp.description,
    icon: dapp.icon,
    kind: dapp.kind,
    sample,
    wasm: dapp.wasm,
    version: dapp.version,
    words: wordsOf(dapp),
    withdrawn_at: null,
  });
}

export type DappChange = Pick<
  DappRow,
  'name' | 'description' | 'icon' | 'picture' | 'picture_of' | 'kind' | 'wasm' | 'version' | 'withdrawn_at'
>;

/** What its uploader says of it now. A sample that was changed is a dapp like any, and makes way for the sample. */
export async function saveDapp(
  tx: Tx,
  { id, username }: Pick<DappRow, 'id' | 'username'>,
  change: DappChange,
): Promise<void> {
  const words = wordsOf({ ...change, username });
  await tx
    .updateTable('dapps')
    .set({ ...change, words, sample: null, updated_at: new Date() })
    .where('id', '=', id)
    .execute();
}
