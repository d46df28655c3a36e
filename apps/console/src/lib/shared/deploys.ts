import { deployEndpoints } from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { queryKeys } from './query-keys.ts';

/** The user's deploys, newest first. */
export const deploysQuery = queryOptions({
  queryKey: queryKeys.deploys,
  queryFn: ({ signal }) => api.call(deployEndpoints.list, { signal }),
});
