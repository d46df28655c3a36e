import type { Tx } from '../../db/tx.ts';
import { hashSecret, newSecret } from '../../secrets.ts';

/** How long the single-use token in the address of /login is valid (decision OP-03). */
const SIGN_IN_TOKEN_MS = 60_000;
/** How long a challenge waits for its signature, which a page makes at once. */
const CHALLENGE_MS = 60_000;
/** How long a person may take at the identity provider. */
export const ATTEMPT_MS = 15 * 60_000;

/** Keeps a sign-in that begins. @param attempt.browser the cookie of the browser that began it */
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

/** Issues the single-use token that the redirect to /login carries; it works in one browser only. */
export async function issueSignInToken(tx: Tx, issued: { userId: string; browser: string }): Promise<string> {
  const token = newSecret();
  await tx
    .insertInto('sign_in_tokens')
    .values({
      token_hash: hashSecret(token),
      user_id: issued.userId,
      browser_hash: hashSecret(issued.browser),
      expires_at: new Date(Date.now() + SIGN_IN_TOKEN_MS),
    })
    .execute();
  return token;
}

/**
 * Takes a sign-in token out of the database; undefined when it is unknown, used, expired or another browser's. A try
 * from another browser leaves it as it is.
 */
export async function useSignInToken(
  tx: Tx,
  used: { token: string; browser: string },
): Promise<{ userId: string } | undefined> {
  const taken = await tx
    .deleteFrom('sign_in_tokens')
    .where('token_hash', '=', hashSecret(used.token))
    .where('browser_hash', '=', hashSecret(used.browser))
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();
  return taken !== undefined && taken.expires_at > new Date() ? { userId: taken.user_id } : undefined;
}

/** Makes a challenge for the key of one browser. */
export async function issueChallenge(tx: Tx, issued: { browser: string }): Promise<string> {
  const challenge = newSecret();
  await tx
    .insertInto('sign_in_challenges')
    .values({
      challenge_hash: hashSecret(challenge),
      browser_hash: hashSecret(issued.browser),
      expires_at: new Date(Date.now() + CHALLENGE_MS),
    })
    .execute();
  return challenge;
}

/**
 * Takes a challenge out of the database; false when it is unknown, used, expired or another browser's. A try from another
 * browser leaves it as it is.
 */
export async function useChallenge(tx: Tx, used: { challenge: string; browser: string }): Promise<boolean> {
  const taken = await tx
    .deleteFrom('sign_in_challenges')
    .where('challenge_hash', '=', hashSecret(used.challenge))
    .where('browser_hash', '=', hashSecret(used.browser))
    .returning('expires_at')
    .executeTakeFirst();
  return taken !== undefined && taken.expires_at > new Date();
}
