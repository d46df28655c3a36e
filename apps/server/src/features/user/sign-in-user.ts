import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../db/tx.ts';
import type { Identity } from '../../identity/oidc-client.ts';
import { usernameFrom, usernameProblem } from '../../identity/names.ts';
import { openAccount } from '../account/store.ts';

/**
 * The user of an identity, created on the first sign-in together with an account that holds the opening balance.
 * Later sign-ins refresh name and avatar; the username stays, since addresses of repositories contain it.
 * @returns the user's id
 */
export async function signInUser(
  tx: Tx,
  identity: Identity,
  options: { openingBalance: bigint },
): Promise<string> {
  const known = await touch(tx, identity);
  if (known !== undefined) return known;
  // Serialises first sign-ins, so that two browsers of one person, or two people of one name, do not collide.
  await sql`select pg_advisory_xact_lock(hashtext('cannery.first-sign-in'))`.execute(tx);
  const meanwhile = await touch(tx, identity);
  if (meanwhile !== undefined) return meanwhile;
  const id = randomUUID();
  const username = await freeUsername(tx, identity);
  await tx
    .insertInto('users')
    .values({
      id,
      issuer: identity.issuer,
      subject: identity.subject,
      username,
      name: identity.name ?? username,
      avatar: identity.picture ?? null,
      location: null,
    })
    .execute();
  await openAccount(tx, { userId: id, openingBalance: options.openingBalance });
  return id;
}

async function touch(tx: Tx, identity: Identity): Promise<string | undefined> {
  const found = await tx
    .updateTable('users')
    .set({
      signed_in_at: new Date(),
      ...(identity.name === undefined ? {} : { name: identity.name }),
      ...(identity.picture === undefined ? {} : { avatar: identity.picture }),
    })
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .returning('id')
    .executeTakeFirst();
  return found?.id;
}

async function freeUsername(tx: Tx, identity: Identity): Promise<string> {
  const { username } = identity;
  const wanted =
    username !== undefined && usernameProblem(username) === undefined
      ? username
      : usernameFrom(username, identity.email, identity.name);
  for (let attempt = 1; ; attempt++) {
    const name = attempt === 1 ? wanted : `${wanted.slice(0, 32)}-${attempt}`;
    const taken = await tx
      .selectFrom('users')
      .select('id')
      .where(sql<string>`lower(username)`, '=', name.toLowerCase())
      .executeTakeFirst();
    if (taken === undefined) return name;
  }
}
