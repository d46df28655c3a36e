import { readdir } from 'node:fs/promises';
import type { Db } from '../../db/tx.ts';
import { eachOf } from '../../fairness/each-of.ts';
import { isOwnerSegment, ownerOf } from '../repository/names.ts';
import { isUnsettled, settleOwner } from '../host/owner-mark.ts';

/** Every start reads a file of each owner: 10,000 take 0.15 s so, and 0.45 s one after the other. */
const READ_AT_ONCE = 16;

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
  await eachOf((await readdir(root)).filter(isOwnerSegment), READ_AT_ONCE, async (name) => {
    if (await isUnsettled(root, name)) open.push(name);
  });
  if (open.length === 0) return;
  const byOwner = new Map((await users()).map((user) => [ownerOf(user).toLowerCase(), user]));
  for (const name of open) {
    const user = byOwner.get(name.toLowerCase());
    await settleOwner(root, name, user && { id: user.id, since: user.created_at });
  }
}
