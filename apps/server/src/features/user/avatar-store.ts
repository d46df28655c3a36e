import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { DamagedBlobError, MissingBlobError } from '../../blobs/blob-store.ts';
import type { AppContext } from '../../context.ts';
import { storePicture } from '../document/store-upload.ts';

/** From this age on a picture is fetched again, since it may change at its address; milliseconds. */
const FRESH_MS = 7 * 86_400_000;

/** A picture of a user. */
interface Avatar {
  readonly userId: string;
  /** Of its address. */
  readonly key: string;
}

/** A short name of a picture's address: another address is another picture. */
export function avatarKey(address: string): string {
  return createHash('sha256').update(address).digest('base64url').slice(0, 22);
}

/**
 * The picture of an address, unless there is none or it is old.
 * @throws AppError storage_unavailable
 */
export async function findAvatar(ctx: AppContext, { userId, key }: Avatar): Promise<Buffer | undefined> {
  const row = await ctx.db
    .selectFrom('avatars')
    .select('identifier')
    .where('user_id', '=', userId)
    .where('address_key', '=', key)
    .where('drawn_at', '>', sql<Date>`now() - make_interval(secs => ${FRESH_MS / 1000})`)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  try {
    return await ctx.blobs.get(row.identifier);
  } catch (error) {
    // It is fetched once more.
    if (error instanceof MissingBlobError || error instanceof DamagedBlobError) return undefined;
    throw error;
  }
}

/** Keeps a picture instead of the user's former one. @throws AppError storage_unavailable */
export async function keepAvatar(ctx: AppContext, { userId, key }: Avatar, picture: Buffer): Promise<void> {
  const identifier = await storePicture(ctx, picture);
  const drawn = { address_key: key, identifier, drawn_at: sql<Date>`now()` };
  await ctx.transact((tx) =>
    tx
      .insertInto('avatars')
      .values({ user_id: userId, ...drawn })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(drawn))
      .execute(),
  );
}

const USER_ID = /^[0-9a-f-]{36}$/;
const FILE_NAME = /^[\w-]{22}\.png$/;

/**
 * Puts the pictures that servers of before have kept as files, `avatars/{user}/{key}.png`, into the blob store. A file goes once its
 * row is committed, so that it may be ended at any time and begun again.
 * @param isOver whether to leave the rest for another time
 * @throws AppError storage_unavailable; what disk and database throw
 */
export async function moveAvatars(ctx: AppContext, isOver: () => boolean): Promise<void> {
  const folder = join(ctx.config.dataDir, 'avatars');
  for (const userId of await namesIn(folder)) {
    if (isOver()) return;
    const own = join(folder, userId);
    const [name] = (await namesIn(own)).filter((one) => FILE_NAME.test(one));
    if (name !== undefined && USER_ID.test(userId))
      await moveAvatar(ctx, { userId, path: join(own, name), name });
    await rm(own, { recursive: true, force: true });
  }
  await rm(folder, { recursive: true, force: true });
}

async function moveAvatar(
  ctx: AppContext,
  { userId, path, name }: { userId: string; path: string; name: string },
): Promise<void> {
  const { mtime } = await stat(path);
  const identifier = await storePicture(ctx, await readFile(path));
  await ctx.transact((tx) =>
    tx
      .insertInto('avatars')
      .columns(['user_id', 'address_key', 'identifier', 'drawn_at'])
      .expression((from) =>
        from
          .selectFrom('users')
          .select([
            'id',
            sql<string>`${name.replace('.png', '')}`.as('address_key'),
            sql<string>`${identifier}`.as('identifier'),
            sql<Date>`${mtime}::timestamptz`.as('drawn_at'),
          ])
          .where('id', '=', userId),
      )
      // One that was drawn meanwhile is newer.
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}
