import { settingsEndpoints } from '@cannery/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { queryKeys } from './query-keys.ts';

/** Addresses and names of the surroundings; they do not change while the page is open. */
export const configQuery = queryOptions({
  queryKey: queryKeys.config,
  queryFn: ({ signal }) => api.call(settingsEndpoints.config, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  retry: 3,
});

/** The configuration, undefined until it has arrived. */
export function usePublicConfig() {
  return useQuery(configQuery).data;
}
