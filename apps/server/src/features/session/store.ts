import type { Reader, Tx } from '../../db/tx.ts';
import type { Actor } from '../../http/actor.ts';
import { hashSecret, newSecret } from './secrets.ts';

const DAY_MS = 86_400_000;
/** How long a bearer token is valid. */
export const SESSION_MS = 30 * DAY_MS;
/** How long the single-use token in the address of /login is valid (decision OP-03). */
export const SIGN_IN_TOKEN_MS = 60_000;
/** How long a person may take at the identity provider. */
export const ATTEMPT_MS = 15 * 60_000;

/** Opens a session and answers its bearer token; only the token's hash is kept. */
export async function openSession(tx: Tx, userId: string): Promise<string> {
  const token = newSecret();
  await tx
    .insertInto('sessions')
    .values({ token_hash: hashSecret(token), user_id: userId, expires_at: new Date(Date.now() + SESSION_MS) })
    .execute();
  return token;
}

/** The user of a bearer token; undefined when there is no such session or it has expired. */
export async function findActor(db: Reader, token: string): Promise<Actor | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username'])
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
}

export async function closeSession(tx: Tx, token: string): Promise<void> {
  await tx.deleteFrom('sessions').where('token_hash', '=', hashSecret(token)).execute();
}

/** Issues the single-use token that the redirect to /login carries. */
export async function issueSignInToken(tx: Tx, userId: string): Promise<string> {
  const token = newSecret();
  await tx
    .insertInto('sign_in_tokens')
    .values({
      token_hash: hashSecret(token),
      user_id: userId,
      expires_at: new Date(Date.now() + SIGN_IN_TOKEN_MS),
    })
    .execute();
  return token;
}

/** Takes a sign-in token out of the database; undefined when it is unknown, used or expired. */
export async function useSignInToken(tx: Tx, token: string): Promise<{ userId: string } | undefined> {
  const taken = await tx
    .deleteFrom('sign_in_tokens')
    .where('token_hash', '=', hashSecret(token))
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();
  return taken !== undefined && taken.expires_at > new Date() ? { userId: taken.user_id } : undefined;
}

export async function keepAttempt(
  tx: Tx,
  attempt: { state: string; browser: string; nonce: string; codeVerifier: string },
): Promise<void> {
  await tx
    .insertInto('sign_in_attempts')
    .values({
      state_hash: hashSecret(attempt.state),
      browser_hash: hashSecret(attempt.browser),
      nonce: attempt.nonce,
      code_verifier: attempt.codeVerifier,
      expires_at: new Date(Date.now() + ATTEMPT_MS),
    })
    .execute();
}

/** Takes the attempt that a state belongs to, if it was begun by the same browser; it can be taken once. */
export async function takeAttempt(
  tx: Tx,
  found: { state: string; browser: string },
): Promise<{ nonce: string; codeVerifier: string } | undefined> {
  const attempt = await tx
    .deleteFrom('sign_in_attempts')
    .where('state_hash', '=', hashSecret(found.state))
    .where('browser_hash', '=', hashSecret(found.browser))
    .where('expires_at', '>', new Date())
    .returning(['nonce', 'code_verifier'])
    .executeTakeFirst();
  return attempt && { nonce: attempt.nonce, codeVerifier: attempt.code_verifier };
}

/** Deletes what has expired; called now and then, since an expired row is refused anyway. */
export async function forgetExpired(tx: Tx): Promise<void> {
  const now = new Date();
  for (const table of ['sessions', 'sign_in_tokens', 'sign_in_attempts'] as const) {
    await tx.deleteFrom(table).where('expires_at', '<', now).execute();
  }
  await tx.deleteFrom('oidc_records').where('expires_at', '<', now).execute();
}
