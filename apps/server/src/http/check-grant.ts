import type { Endpoint } from '@cannery/contract';
import { AppError, notFound } from '../errors.ts';
import type { ApiGrant } from './actor.ts';

/**
 * Lets a call by an API token through when its endpoint has a scope, the token has that scope too, and the token is not
 * limited to other deploys than the one that the path names.
 * @param params of the path, as they came
 * @throws AppError not_allowed, and not_found for another deploy as for one that does not exist
 */
export function checkGrant({ scope }: Endpoint, { scopes, deployIds }: ApiGrant, params: unknown): void {
  if (scope === undefined) {
    throw new AppError('not_allowed', 'API tokens cannot make this call; it needs a session.', {
      detail: 'API tokens are for the calls that have a scope in /api/openapi.json.',
    });
  }
  if (!scopes.includes(scope)) {
    throw new AppError('not_allowed', `This API token lacks the scope ${scope}.`, {
      detail: `Its scopes are: ${scopes.join(', ')}.`,
    });
  }
  const { id } = params as { readonly id?: unknown };
  if (deployIds !== null && id !== undefined && !deployIds.some((one) => one === id))
    throw notFound('Deploy');
}
