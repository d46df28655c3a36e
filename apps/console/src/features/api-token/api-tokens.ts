import { type ApiScope, type ApiToken, apiTokenEndpoints, type BodyInputOf } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { uploadDate } from '../../lib/text/formats.ts';

/** The user's API tokens, newest first. */
export const apiTokensQuery = queryOptions({
  queryKey: queryKeys.apiTokens,
  queryFn: ({ signal }) => api.call(apiTokenEndpoints.list, { signal }),
});

/** What a new API token is made of. */
export type NewApiToken = NonNullable<BodyInputOf<typeof apiTokenEndpoints.create>>;

/** Creates an API token; its secret is in this answer only. */
export function useCreateApiToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewApiToken) => api.call(apiTokenEndpoints.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.apiTokens }),
  });
}

/** Deletes an API token of the user. */
export function useDeleteApiToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call(apiTokenEndpoints.delete, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.apiTokens }),
  });
}

/** What a token may do, as a choice. */
export const permissions = [
  { value: 'both', label: 'Run deploys and read them', scopes: ['deploys:read', 'deploys:run'] },
  { value: 'read', label: 'Read deploys and their logs', scopes: ['deploys:read'] },
  { value: 'run', label: 'Run deploys only', scopes: ['deploys:run'] },
] as const satisfies readonly { value: string; label: string; scopes: readonly ApiScope[] }[];
export type Permission = (typeof permissions)[number]['value'];

/** What the scopes of a token say, in words; the scopes themselves where no words are known. */
export function scopesText(scopes: readonly string[]): string {
  const known = permissions.find(
    (one) => one.scopes.length === scopes.length && one.scopes.every((scope) => scopes.includes(scope)),
  );
  return known?.label ?? scopes.join(', ');
}

/** The deploys that a token is for: their names, as far as they are known. */
export function deploysText(
  ids: readonly string[] | null,
  deploys: readonly { readonly id: string; readonly name: string | null }[],
): string {
  if (ids === null) return 'all deploys';
  const names = ids.flatMap((id) => deploys.find((one) => one.id === id)?.name ?? []);
  if (names.length < ids.length) return ids.length === 1 ? 'one deploy' : `${ids.length} deploys`;
  return names.join(', ');
}

/** Whether a token has expired. @param now in milliseconds since 1970 */
export function isExpired(
  { expires_at: at }: Pick<ApiToken, 'expires_at'>,
  now: number = Date.now(),
): boolean {
  return at !== null && Date.parse(at) <= now;
}

/** When a token ends, as the end of a sentence. */
export function expiryText(token: Pick<ApiToken, 'expires_at'>, now?: number): string {
  if (token.expires_at === null) return 'does not expire';
  return `${isExpired(token, now) ? 'expired' : 'expires'} ${uploadDate(token.expires_at)}`;
}
