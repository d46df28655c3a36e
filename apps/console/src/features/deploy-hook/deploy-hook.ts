import { deployHookEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

/** How often the webhook is read while it is looked at, in milliseconds: a test of the git host shows soon. */
const REFRESH_MS = 5_000;

/** The webhook of a deploy; null while it is off. */
export function deployHookQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.deployHook(id),
    queryFn: async ({ signal }) => (await api.call(deployHookEndpoints.one, { params: { id }, signal })).hook,
    refetchInterval: REFRESH_MS,
  });
}

/** Switches the webhook on or gives it a new secret, which is in this answer only. */
export function useRenewDeployHook(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.call(deployHookEndpoints.renew, { params: { id } }),
    onSuccess: ({ secret: _shownOnce, ...hook }) => {
      client.setQueryData(queryKeys.deployHook(id), hook);
    },
  });
}

export function useDeleteDeployHook(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.call(deployHookEndpoints.delete, { params: { id } }),
    onSuccess: () => {
      client.setQueryData(queryKeys.deployHook(id), null);
    },
  });
}
