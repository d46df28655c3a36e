import { apiTokenEndpoints, type BodyInputOf } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

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
