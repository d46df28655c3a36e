import { type ApiToken, apiScopes, type apiTokenEndpoints, type BodyOf } from '@cannery/contract';
import type { Actor, AppContext } from '../../context.ts';
import type { Tx } from '../../db/tx.ts';
import { notFound } from '../../errors.ts';
import { insertApiToken } from './store.ts';

const DAY_MS = 86_400_000;

/**
 * Creates an API token of a user.
 * @returns it with its secret, which nobody can ask for again
 * @throws AppError not_found for a deploy that is not the user's, quota_reached
 */
export async function createApiToken(
  ctx: AppContext,
  user: Actor,
  input: BodyOf<typeof apiTokenEndpoints.create>,
): Promise<ApiToken & { secret: string }> {
  const { label, expires_in_days: days } = input;
  const deployIds = input.deploy_ids == null ? null : [...new Set(input.deploy_ids)];
  return ctx.transact(async (tx) => {
    if (deployIds !== null) await requireOwnDeploys(tx, user.id, deployIds);
    return insertApiToken(tx, {
      userId: user.id,
      label,
      scopes: apiScopes.filter((scope) => input.scopes.includes(scope)),
      deployIds,
      expiresAt: days == null ? null : new Date(Date.now() + days * DAY_MS),
    });
  });
}

/** @throws AppError not_found unless all deploys are the user's */
async function requireOwnDeploys(tx: Tx, userId: string, deployIds: readonly string[]): Promise<void> {
  const own = await tx
    .selectFrom('deploys')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', 'in', deployIds)
    .execute();
  if (own.length < deployIds.length) throw notFound('Deploy');
}
