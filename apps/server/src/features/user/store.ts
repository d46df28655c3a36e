import type { Reader } from '../../db/tx.ts';

export async function findUser(db: Reader, id: string) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'username', 'avatar', 'location'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** A user by the name the console shows, whatever its case. */
export async function findUserByName(db: Reader, username: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where((where) => where(where.fn<string>('lower', ['username']), '=', username.trim().toLowerCase()))
    .executeTakeFirst();
}

/** People of the embedded sign-in by latest use, for its page, which serves this computer only. */
export async function recentNames(db: Reader, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('name')
    .where('issuer', '=', 'embedded')
    .orderBy('signed_in_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.name);
}
