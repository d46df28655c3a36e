import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** From this age on a picture is fetched again, since it may change at its address; milliseconds. */
const FRESH_MS = 7 * 86_400_000;

/** A short name of a picture's address: another address is another picture. */
export function avatarKey(address: string): string {
  return createHash('sha256').update(address).digest('base64url').slice(0, 22);
}

/** Pictures of users, drawn again: one file each in a folder of the user. */
interface AvatarStore {
  /** The picture of an address, unless there is none or it is old. */
  find(userId: string, key: string): Promise<Buffer | undefined>;
  /** Keeps a picture instead of the user's former one. */
  keep(userId: string, key: string, picture: Buffer): Promise<void>;
}

/** @param userId and key are never a visitor's text: they come from the database and from `avatarKey` */
export function openAvatarStore(folder: string, now: () => number = Date.now): AvatarStore {
  return {
    async find(userId, key) {
      const file = join(folder, userId, `${key}.png`);
      const found = await stat(file).catch(() => undefined);
      return found === undefined || now() - found.mtimeMs > FRESH_MS ? undefined : readFile(file);
    },
    async keep(userId, key, picture) {
      const own = join(folder, userId);
      await mkdir(own, { recursive: true });
      const incoming = join(own, `.${randomUUID()}`);
      await writeFile(incoming, picture);
      await rename(incoming, join(own, `${key}.png`));
      const others = (await readdir(own)).filter((name) => name !== `${key}.png`);
      await Promise.all(others.map((name) => rm(join(own, name), { force: true })));
    },
  };
}
