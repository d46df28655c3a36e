import { createHash, randomUUID } from 'node:crypto';
import { MAX_PICTURES, PICTURE_PATIENCE_MS, type PictureFailure } from '@cannery/contract';
import { sql } from 'kysely';
import { Quota } from '../../../db/quota.ts';
import type { Reader, Tx } from '../../../db/tx.ts';
import { AppError, notFound } from '../../../errors.ts';
import { lockedCanister } from '../core/store.ts';

const PATIENCE_S = PICTURE_PATIENCE_MS / 1000;
const recent = sql<Date>`now() - make_interval(secs => ${PATIENCE_S})`;

/** A browser is started for each, so what a user has ordered in a while counts, whatever became of it. */
const orders = new Quota({
  name: 'pictures',
  used: (userId) =>
    sql<number>`(select count(*) from picture_orders where user_id = ${userId} and ordered_at > ${recent})`,
  refusal: (limit) =>
    new AppError(
      'rate_limited',
      `You have had ${limit} pictures taken in the last ${PATIENCE_S / 60} minutes, which is the limit.`,
      { retryAfterSeconds: PATIENCE_S },
    ),
});

/** A picture that is to be taken. */
export interface OpenOrder {
  readonly id: string;
  readonly user_id: string;
  readonly canister_id: string;
  /** When the console has last put code into the canister. */
  readonly origin_at: Date;
}

/**
 * Writes down that a user wants a picture of a canister, unless one is under way.
 * @returns its id and how many the user has ordered in a while before it; undefined when one is under way
 * @throws AppError not_found, also for somebody else's canister; rate_limited
 */
export async function insertOrder(
  tx: Tx,
  { userId, canisterId }: { userId: string; canisterId: string },
): Promise<{ id: string; earlier: number } | undefined> {
  const isOpen = async (): Promise<boolean> => (await lastOrder(tx, canisterId))?.isOpen === true;
  const adds = async (): Promise<number> => ((await isOpen()) ? 0 : 1);
  return orders.add(tx, { userId, limit: MAX_PICTURES, adds }, async () => {
    if ((await lockedCanister(tx, { id: canisterId, userId })) === undefined) throw notFound('Canister');
    if (await isOpen()) return undefined;
    // What is old counts for nothing any more; what was lost with its worker makes way.
    await tx
      .deleteFrom('picture_orders')
      .where('user_id', '=', userId)
      .where('ordered_at', '<=', recent)
      .execute();
    const id = randomUUID();
    const { earlier } = await tx
      .selectFrom('picture_orders')
      .select(({ fn }) => fn.countAll<number>().as('earlier'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('picture_orders')
      .values({ id, user_id: userId, canister_id: canisterId, ended_at: null, failure: null })
      .execute();
    return { id, earlier: Number(earlier) };
  });
}

/** The last order of a canister; undefined where there was none lately. */
export async function lastOrder(
  db: Reader,
  canisterId: string,
): Promise<{ readonly isOpen: boolean; readonly failure: PictureFailure | null } | undefined> {
  const row = await db
    .selectFrom('picture_orders')
    .select(['ended_at', 'failure'])
    .where('canister_id', '=', canisterId)
    .where('ordered_at', '>', recent)
    .orderBy('ordered_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { isOpen: row.ended_at === null, failure: row.failure };
}

/** An order that has not ended, with what the console knows of its canister; undefined when it has, or the canister is gone. */
export async function findOpenOrder(db: Reader, id: string): Promise<OpenOrder | undefined> {
  return db
    .selectFrom('picture_orders')
    .innerJoin('canisters', (join) =>
      join
        .onRef('canisters.id', '=', 'picture_orders.canister_id')
        .onRef('canisters.user_id', '=', 'picture_orders.user_id'),
    )
    .select(['picture_orders.id', 'picture_orders.user_id', 'canisters.id as canister_id', 'origin_at'])
    .where('picture_orders.id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
}

/** Ends an order. @param failure null when it has brought a picture @returns whether it was open */
export async function endOrder(tx: Tx, id: string, failure: PictureFailure | null): Promise<boolean> {
  const ended = await tx
    .updateTable('picture_orders')
    .set({ ended_at: new Date(), failure })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

/**
 * Keeps the picture of an order in place of an earlier one. One whose canister has got code through the console meanwhile is not
 * kept: its order has failed.
 */
export async function keepPicture(
  tx: Tx,
  order: OpenOrder,
  { moduleHash, picture }: { moduleHash: string; picture: Buffer },
): Promise<void> {
  const canister = await lockedCanister(tx, { id: order.canister_id, userId: order.user_id });
  if (canister === undefined) return;
  const isSame = canister.origin_at.getTime() === order.origin_at.getTime();
  if (!(await endOrder(tx, order.id, isSame ? null : 'changed')) || !isSame) return;
  const digest = createHash('sha256').update(picture).digest('hex');
  const taken = { module_hash: moduleHash, digest, picture };
  await tx
    .insertInto('canister_pictures')
    .values({ canister_id: order.canister_id, ...taken })
    .onConflict((conflict) =>
      conflict.column('canister_id').doUpdateSet({ ...taken, taken_at: sql<Date>`now()` }),
    )
    .execute();
}
