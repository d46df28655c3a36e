import { randomUUID } from 'node:crypto';
import { MAX_PRODUCTS, type ProductAnswer, type ProductFields } from '@cannery/contract';
import { type Selectable, sql } from 'kysely';
import type { ProductsTable } from '../../db/tables/product-tables.ts';
import { Quota } from '../../db/quota.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { AppError, notFound } from '../../errors.ts';

type ProductRow = Selectable<ProductsTable>;

/** A sample product as the API answers it. */
function answerOf(row: ProductRow): ProductAnswer {
  return {
    id: row.id,
    img: row.img,
    title: row.title,
    subtitle: row.subtitle,
    price: row.price_cents / 100,
    rating: row.rating_tenths / 10,
  };
}

function columnsOf({ img, title, subtitle, price, rating }: ProductFields) {
  return {
    img,
    title,
    subtitle,
    price_cents: Math.round(price * 100),
    rating_tenths: Math.round(rating * 10),
  };
}

/** Opens the shelf of a user. @returns false when there was one already */
export async function openShelf(tx: Tx, userId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('product_shelves')
    .values({ user_id: userId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function hasShelf(db: Reader, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('product_shelves')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** In the order in which they came. */
export async function listProducts(db: Reader, userId: string): Promise<ProductAnswer[]> {
  const rows = await db
    .selectFrom('products')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('seq')
    .execute();
  return rows.map(answerOf);
}

const products = new Quota({
  name: 'products',
  used: (userId) => sql<number>`(select count(*) from products where user_id = ${userId})`,
  refusal: (limit) =>
    new AppError('quota_reached', `You can have ${limit} sample products. Delete one first.`),
});

/** @throws AppError quota_reached */
export async function insertProduct(tx: Tx, userId: string, fields: ProductFields): Promise<ProductAnswer> {
  return products.add(tx, { userId, limit: MAX_PRODUCTS, adds: 1 }, () => insert(tx, userId, fields));
}

async function insert(tx: Tx, userId: string, fields: ProductFields): Promise<ProductAnswer> {
  const row = await tx
    .insertInto('products')
    .values({ id: randomUUID(), user_id: userId, ...columnsOf(fields) })
    .returningAll()
    .executeTakeFirstOrThrow();
  return answerOf(row);
}

/** @throws AppError not_found, also for somebody else's product */
export async function saveProduct(
  tx: Tx,
  userId: string,
  { id, ...fields }: ProductAnswer,
): Promise<ProductAnswer> {
  const row = await tx
    .updateTable('products')
    .set(columnsOf(fields))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw notFound('Product');
  return answerOf(row);
}

/** @throws AppError not_found, also for somebody else's product */
export async function deleteProduct(tx: Tx, userId: string, id: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('products')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('Product');
}
