import { productEndpoints } from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';

/** The sample products; asked for only where the service offers them. */
export const productsQuery = queryOptions({
  queryKey: ['sample-products'],
  queryFn: ({ signal }) => api.call(productEndpoints.list, { signal }),
});
