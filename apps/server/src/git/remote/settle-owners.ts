import { readdir } from 'node:fs/promises';
import type { Db } from '../../db/tx.ts';
import { isOwnerSegment, ownerOf } from '../repository/names.ts';
import { isUnsettled, settleOwner } from '../host/owner-mark.ts';

/** A user of the database, since then. */
interface KnownUser {
  readonly id: string;
  readonly username: string;
  readonly created_at: Date;
}

/** All users of a database. */
export function usersOf(db: Db): Promise<KnownUser[]> {
  return db.selectFrom('users').select(['id', 'username', 'created_at']).execute();
}

/**
 * Says of each folder of repositories whose it is, where nobody has said so yet: of the user who has its name, or of nobody. Who gets
 * that name later does not get the repositories. To be called before anybody is served.
 * @param users all that there are; asked for only where something has to be said
 */
export async function settleOwners(root: string, users: () => Promise<readonly KnownUser[]>): Promise<void> {
  const open: string[] = [];
  for (const name of await readdir(root))
    if (isOwnerSegment(name) && (await isUnsettled(root, name))) open.push(name);
  if (open.length === 0) return;
  const byOwner = new Map((await users()).map((user) => [ownerOf(user).toLowerCase(), user]));
  for (const name of open) {
    const user = byOwner.get(name.toLowerCase());
    await settleOwner(root, name, user && { id: user.id, since: user.created_at });
  }
}
