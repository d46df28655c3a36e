import { sessionEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

/** Where the user is signed in, the last used first. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api.call(sessionEndpoints.list, { signal }),
});

/** Ends another session of the user. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call(sessionEndpoints.end, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}
