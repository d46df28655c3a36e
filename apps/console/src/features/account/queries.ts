import { accountEndpoints } from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

export const transactionsQuery = queryOptions({
  queryKey: queryKeys.transactions,
  queryFn: ({ signal }) => api.call(accountEndpoints.transactions, { signal }),
});
