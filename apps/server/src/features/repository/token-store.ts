import { randomUUID } from 'node:crypto';
import { type GitToken, MAX_GIT_TOKENS } from '@cannery/contract';
import { sql } from 'kysely';
import type { AppContext } from '../../context.ts';
import { Quota } from '../../db/quota.ts';
import type { Reader, Tx } from '../../db/tx.ts';
import { AppError, notFound } from '../../errors.ts';
import type { GitUser } from '../../git/repository/git-host.ts';
import { hashSecret, newSecret } from '../../secrets.ts';

/** Makes a token recognisable, in logs above all, where it must be blacked out. */
const PREFIX = 'cnry_';
/** The time of last use is exact to this; a clone must not write a row for each of its requests. */
const USE_STEP_MS = 60_000;

function toAnswer(row: { id: string; label: string; created_at: Date; last_used_at: Date | null }): GitToken {
  return {
    id: row.id,
    label: row.label,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

/** Whether a token is good still. */
const isAlive = sql<boolean>`(git_tokens.expires_at is null or git_tokens.expires_at > now())`;

/** Those that have ended do not count. */
const tokens = new Quota({
  name: 'access tokens',
  used: (userId) => sql<number>`(select count(*) from git_tokens where user_id = ${userId} and ${isAlive})`,
  refusal: (limit) =>
    new AppError(
      'quota_reached',
      `You have ${limit} access tokens, which is the limit. Revoke one that you no longer need.`,
    ),
});

interface NewToken {
  readonly userId: string;
  readonly label: string;
  /** After which it ends by itself; undefined for one that lasts until it is revoked. */
  readonly minutes: number | undefined;
}

/**
 * Creates an access token; its secret is in this answer only, the database keeps a hash.
 * @throws AppError quota_reached
 */
export async function createToken(tx: Tx, token: NewToken): Promise<GitToken & { secret: string }> {
  const { userId } = token;
  return tokens.add(tx, { userId, limit: MAX_GIT_TOKENS, adds: 1 }, () => insert(tx, token));
}

async function insert(tx: Tx, { userId, label, minutes }: NewToken): Promise<GitToken & { secret: string }> {
  const secret = PREFIX + newSecret();
  const expires_at = minutes === undefined ? null : new Date(Date.now() + minutes * 60_000);
  await tx
    .deleteFrom('git_tokens')
    .where('user_id', '=', userId)
    .where(sql<boolean>`not ${isAlive}`)
    .execute();
  const row = await tx
    .insertInto('git_tokens')
    .values({ id: randomUUID(), user_id: userId, label, token_hash: hashSecret(secret), expires_at })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...toAnswer(row), secret };
}

/** Access tokens of a user, newest first, without their secrets. */
export async function listTokens(db: Reader, userId: string): Promise<GitToken[]> {
  const rows = await db
    .selectFrom('git_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where(isAlive)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toAnswer);
}

/** @throws AppError not_found, also for somebody else's token */
export async function revokeToken(tx: Tx, token: { userId: string; id: string }): Promise<void> {
  const deleted = await tx
    .deleteFrom('git_tokens')
    .where('user_id', '=', token.userId)
    .where('id', '=', token.id)
    .executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw notFound('Access token');
}

/** The user of an access token, and its id; undefined for one that is unknown, revoked or at its end. */
export async function userOfToken(
  db: Reader,
  secret: string,
): Promise<(GitUser & { readonly tokenId: string }) | undefined> {
  if (!secret.startsWith(PREFIX)) return undefined;
  return db
    .selectFrom('git_tokens')
    .innerJoin('users', 'users.id', 'git_tokens.user_id')
    .select(['users.id', 'users.username', 'git_tokens.id as tokenId'])
    .where('token_hash', '=', hashSecret(secret))
    .where(isAlive)
    .executeTakeFirst();
}

/** Notes that an access token was used. */
async function noteUse(tx: Tx, secret: string): Promise<void> {
  const now = Date.now();
  await tx
    .updateTable('git_tokens')
    .set({ last_used_at: new Date(now) })
    .where('token_hash', '=', hashSecret(secret))
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<', new Date(now - USE_STEP_MS))]),
    )
    .execute();
}

/** Notes that an access token was used; with null, that another process has noted it. */
export async function noteUseOf(ctx: Pick<AppContext, 'transact'>, secret: string | null): Promise<void> {
  if (secret !== null) await ctx.transact((tx) => noteUse(tx, secret));
}
