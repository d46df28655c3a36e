import { type Registry, registryEndpoints } from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { withKnownRows } from './known-rows.ts';
import { queryKeys } from './query-keys.ts';

/** The user's registries, newest first: for their page, and for every dialog that offers their modules. */
export const registriesQuery = queryOptions({
  queryKey: queryKeys.registries,
  queryFn: async ({ signal, client }) =>
    withKnownRows(
      client.getQueryData<Registry[]>(queryKeys.registries),
      await api.call(registryEndpoints.list, { signal }),
    ),
});

/** One of them with its versions; a service of the specification alone has no such call. */
export function registryQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.registry(id),
    queryFn: ({ signal }) => api.call(registryEndpoints.one, { params: { id }, signal }),
  });
}
