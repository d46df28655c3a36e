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

/** Usernames by latest sign-in, for the embedded sign-in page, which serves this computer only. */
export async function recentNames(db: Reader, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('username')
    .orderBy('signed_in_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.username);
}
