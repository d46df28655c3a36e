import { randomUUID } from 'node:crypto';
import { API_TOKEN_PREFIX, type ApiScope, type ApiToken, MAX_API_TOKENS } from '@cannery/contract';
import { type Selectable, sql } from 'kysely';
import type { Caller } from '../../context.ts';
import type { ApiTokensTable } from '../../db/tables/api-token-tables.ts';
import { Quota } from '../../db/quota.ts';
import { type Reader, runOften, type Tx } from '../../db/tx.ts';
import { AppError } from '../../errors.ts';
import { hashSecret, newSecret } from '../../secrets.ts';

/** The token as the API shows it. */
function toAnswer(row: Selectable<ApiTokensTable>): ApiToken {
  return {
    id: row.id,
    label: row.label,
    scopes: row.scopes,
    deploy_ids: row.deploy_ids,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

export interface NewApiToken {
  readonly userId: string;
  readonly label: string;
  readonly scopes: readonly ApiScope[];
  readonly deployIds: readonly string[] | null;
  readonly expiresAt: Date | null;
}

/** Those that have expired count until they are deleted. */
const tokens = new Quota({
  name: 'API tokens',
  used: (userId) => sql<number>`(select count(*) from api_tokens where user_id = ${userId})`,
  refusal: (limit) =>
    new AppError(
      'quota_reached',
      `You have ${limit} API tokens, which is the limit. Delete one that you no longer need.`,
    ),
});

/**
 * Adds a token; its secret is in this answer only, the database keeps a hash.
 * @throws AppError quota_reached
 */
export async function insertApiToken(tx: Tx, token: NewApiToken): Promise<ApiToken & { secret: string }> {
  const { userId } = token;
  return tokens.add(tx, { userId, limit: MAX_API_TOKENS, adds: 1 }, () => insert(tx, token));
}

async function insert(tx: Tx, token: NewApiToken): Promise<ApiToken & { secret: string }> {
  const secret = API_TOKEN_PREFIX + newSecret();
  const row = await tx
    .insertInto('api_tokens')
    .values({
      id: randomUUID(),
      user_id: token.userId,
      label: token.label,
      token_hash: hashSecret(secret),
      scopes: [...token.scopes],
      deploy_ids: token.deployIds === null ? null : [...token.deployIds],
      expires_at: token.expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...toAnswer(row), secret };
}

/** Tokens of a user, newest first, those that have expired included. */
export async function listApiTokens(db: Reader, userId: string): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(toAnswer);
}

/** Deletes a token of a user. @returns false when the user has no such token */
export async function deleteApiToken(tx: Tx, token: { userId: string; id: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('api_tokens')
    .where('user_id', '=', token.userId)
    .where('id', '=', token.id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The id of a token, its user and what the token allows; undefined when it is unknown, deleted or has expired. */
export async function findApiToken(
  db: Reader,
  secret: string,
): Promise<{ id: string; caller: Caller; lastUsedAt: Date | null } | undefined> {
  const [found] = await runOften(
    db,
    db
      .selectFrom('api_tokens')
      .innerJoin('users', 'users.id', 'api_tokens.user_id')
      .select([
        'api_tokens.id as token_id',
        'users.id',
        'users.username',
        'scopes',
        'deploy_ids',
        'last_used_at',
      ])
      .where('token_hash', '=', hashSecret(secret))
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', new Date())])),
  );
  if (found === undefined) return undefined;
  const { token_id, id, username, scopes, deploy_ids: deployIds, last_used_at: lastUsedAt } = found;
  return { id: token_id, caller: { id, username, grant: { scopes, deployIds } }, lastUsedAt };
}

/** Notes that a token is in use. */
export async function noteApiTokenUse(tx: Tx, secret: string): Promise<void> {
  await tx
    .updateTable('api_tokens')
    .set({ last_used_at: new Date() })
    .where('token_hash', '=', hashSecret(secret))
    .execute();
}
