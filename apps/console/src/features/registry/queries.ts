import { registryEndpoints } from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

/** What the module of a version tells of itself; a version never changes. */
export function registryModuleQuery(id: string, version: number) {
  return queryOptions({
    queryKey: queryKeys.registryModule(id, version),
    queryFn: ({ signal }) =>
      api.call(registryEndpoints.module, { params: { id, number: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What changes from one version to another. */
export function registryComparisonQuery(id: string, from: number, to: number) {
  return queryOptions({
    queryKey: queryKeys.registryComparison(id, from, to),
    queryFn: ({ signal }) =>
      api.call(registryEndpoints.compare, {
        params: { id },
        query: { from: String(from), to: String(to) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
