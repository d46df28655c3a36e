import { registryEndpoints } from '@cannery/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { isAnswered } from '../api/api-error.ts';
import { api } from '../api/api.ts';
import { withKnownRows } from '../table/known-rows.ts';
import { queryKeys } from './query-keys.ts';
import { cutRegistries, queryOf, type RegistriesPage, type RegistriesView } from './registries-view.ts';

/** How long a list that this page has to cut by itself serves its pages, in milliseconds. */
const WHOLE_LIST_MS = 30_000;

/** All of the user's registries, newest first: for services that cannot cut their list. */
const wholeListQuery = queryOptions({
  queryKey: queryKeys.allRegistries,
  queryFn: ({ signal }) => api.call(registryEndpoints.list, { signal }),
  staleTime: WHOLE_LIST_MS,
});

/** A page of the user's registries: for their page, and for every dialog that offers their modules. */
export function registriesQuery(view: RegistriesView) {
  return queryOptions({
    queryKey: queryKeys.registryPage(view),
    queryFn: async ({ signal, client }): Promise<RegistriesPage> => {
      const page = (await pageOfService(client, view, signal)) ?? (await cutHere(client, view));
      const known = client.getQueryData<RegistriesPage>(queryKeys.registryPage(view))?.registries;
      return { ...page, registries: withKnownRows(known, [...page.registries]) };
    },
  });
}

/** Undefined from a service that has only the call of the specification, which is asked once. */
async function pageOfService(
  client: QueryClient,
  view: RegistriesView,
  signal: AbortSignal,
): Promise<RegistriesPage | undefined> {
  if (client.getQueryData(wholeListQuery.queryKey) !== undefined) return undefined;
  try {
    return await api.call(registryEndpoints.page, { query: queryOf(view), signal });
  } catch (error) {
    if (isAnswered(error)) return undefined;
    throw error;
  }
}

async function cutHere(client: QueryClient, view: RegistriesView): Promise<RegistriesPage> {
  return cutRegistries(await client.fetchQuery(wholeListQuery), view);
}

/** One of them with its versions; a service of the specification alone has no such call. */
export function registryQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.registry(id),
    queryFn: ({ signal }) => api.call(registryEndpoints.one, { params: { id }, signal }),
  });
}
