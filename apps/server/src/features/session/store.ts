import type { Session } from '@cannery/contract';
import { type Reader, runOften, type Tx } from '../../db/tx.ts';
import type { Actor } from '../../http/actor.ts';
import { hashSecret, newSecret } from '../../secrets.ts';

const DAY_MS = 86_400_000;
/** How long a bearer token is valid at most, used or not. */
export const SESSION_MS = 30 * DAY_MS;

/** Sessions of one user; a program can sign in without end, and the list has them all. */
export const MAX_SESSIONS = 200;

/**
 * Opens a session and answers its bearer token; only the token's hash is kept. Of too many sessions those end that were not used for
 * longest.
 * @param opened.device in words
 */
export async function openSession(tx: Tx, opened: { userId: string; device: string }): Promise<string> {
  const token = newSecret();
  await tx
    .insertInto('sessions')
    .values({
      token_hash: hashSecret(token),
      user_id: opened.userId,
      device: opened.device,
      expires_at: new Date(Date.now() + SESSION_MS),
    })
    .execute();
  await tx
    .deleteFrom('sessions')
    .where('id', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', opened.userId)
        .where('token_hash', '<>', hashSecret(token))
        .orderBy('last_used_at', 'desc')
        .orderBy('id')
        .offset(MAX_SESSIONS - 1),
    )
    .execute();
  return token;
}

/** The session of a bearer token and its user; undefined when there is none, it has expired or was idle too long. */
export async function findSession(
  db: Reader,
  token: string,
  idleMs: number,
): Promise<{ actor: Actor; lastUsedAt: Date } | undefined> {
  const [found] = await runOften(
    db,
    valid(db, idleMs)
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.id', 'users.username', 'last_used_at'])
      .where('token_hash', '=', hashSecret(token)),
  );
  return found && { actor: { id: found.id, username: found.username }, lastUsedAt: found.last_used_at };
}

/** Notes that a session is in use. */
export async function noteSessionUse(tx: Tx, token: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ last_used_at: new Date() })
    .where('token_hash', '=', hashSecret(token))
    .execute();
}

/** The sessions of a user that are valid, the last used first. @param listed.token the bearer token that asks */
export async function listSessions(
  db: Reader,
  listed: { userId: string; token: string; idleMs: number },
): Promise<Session[]> {
  const own = hashSecret(listed.token);
  const rows = await valid(db, listed.idleMs)
    .select(['id', 'token_hash', 'device', 'created_at', 'last_used_at'])
    .where('user_id', '=', listed.userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    current: row.token_hash === own,
    device: row.device,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
  }));
}

/** Ends the session of a bearer token. @returns the id of its user; undefined where there was none */
export async function closeSession(tx: Tx, token: string): Promise<string | undefined> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('token_hash', '=', hashSecret(token))
    .returning('user_id')
    .executeTakeFirst();
  return ended?.user_id;
}

/** Ends one session of a user. @returns false when the user has no such session */
export async function endSession(tx: Tx, session: { userId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', session.userId)
    .where('id', '=', session.id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of a user. */
export async function endAllSessions(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Deletes what has expired; called now and then, since an expired row is refused anyway. */
export async function forgetExpired(tx: Tx, idleMs: number): Promise<void> {
  const now = new Date();
  for (const table of [
    'sessions',
    'sign_in_tokens',
    'sign_in_attempts',
    'sign_in_challenges',
    'github_attempts',
    'github_deliveries',
  ] as const) {
    await tx.deleteFrom(table).where('expires_at', '<', now).execute();
  }
  await tx.deleteFrom('oidc_records').where('expires_at', '<', now).execute();
  await tx
    .deleteFrom('sessions')
    .where('last_used_at', '<', new Date(now.getTime() - idleMs))
    .execute();
}

function valid(db: Reader, idleMs: number) {
  return db
    .selectFrom('sessions')
    .where('expires_at', '>', new Date())
    .where('last_used_at', '>', new Date(Date.now() - idleMs));
}
