import { accountEndpoints } from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { queryKeys } from './query-keys.ts';

/** Balance and canister count of the account. */
export const insightsQuery = queryOptions({
  queryKey: queryKeys.insights,
  queryFn: ({ signal }) => api.call(accountEndpoints.insights, { signal }),
});

export const transactionsQuery = queryOptions({
  queryKey: queryKeys.transactions,
  queryFn: ({ signal }) => api.call(accountEndpoints.transactions, { signal }),
});
