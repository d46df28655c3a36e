import type { Reader, Tx } from '../../db/tx.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { hashSecret, newSecret } from '../../secrets.ts';

/** The browser follows the address at once; a slow one gets another ticket by opening the page again. */
const TICKET_MS = 30_000;

/** Issues a ticket that opens one page once. @param page.token the bearer token of the session that asks */
export async function issuePageTicket(tx: Tx, page: { token: string; path: string }): Promise<string> {
  const ticket = newSecret();
  await tx
    .insertInto('page_tickets')
    .values({
      ticket_hash: hashSecret(ticket),
      session_hash: hashSecret(page.token),
      path: page.path,
      expires_at: new Date(Date.now() + TICKET_MS),
    })
    .execute();
  return ticket;
}

/** The user a ticket was issued to; undefined when it is unknown, used, expired, or for another page. */
export async function usePageTicket(
  tx: Tx,
  page: { ticket: string; path: string },
): Promise<GitUser | undefined> {
  const taken = await tx
    .deleteFrom('page_tickets')
    .where('ticket_hash', '=', hashSecret(page.ticket))
    .returning(['session_hash', 'path', 'expires_at'])
    .executeTakeFirst();
  if (taken === undefined || taken.path !== page.path || taken.expires_at <= new Date()) return undefined;
  return userOf(tx, taken.session_hash);
}

async function userOf(db: Reader, sessionHash: string): Promise<GitUser | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username'])
    .where('token_hash', '=', sessionHash)
    .where('sessions.expires_at', '>', new Date())
    .executeTakeFirst();
}
