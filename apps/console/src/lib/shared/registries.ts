import {
  foldText,
  MAX_REGISTRY_NAME,
  type Registry,
  registryEndpoints,
  type RegistrySort,
  registrySorts,
} from '@cannery/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { isAnswered } from '../api/api-error.ts';
import { api } from '../api/api.ts';
import { withKnownRows } from '../table/rows.ts';
import { pageOf } from '../table/paging.ts';
import { dateValue, type Sorting, sortRows, type SortValue } from '../table/sort.ts';
import { queryKeys } from './query-keys.ts';

/** Which registries a list shows. */
export interface RegistriesView {
  /** Part of a name. */
  readonly search: string;
  readonly sorting: Sorting | undefined;
  /** From 0. */
  readonly page: number;
  readonly size: number;
}

/** One page of registries. */
export interface RegistriesPage {
  readonly registries: readonly Registry[];
  /** How many fit the view, as far as they were counted. */
  readonly total: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
}

const values: Readonly<Record<RegistrySort, (registry: Registry) => SortValue>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  identifier: ({ wasm_identifier: identifier }) => identifier,
  created: ({ created_at: createdAt }) => dateValue(createdAt),
};

function sortOf(column: string | undefined): RegistrySort | undefined {
  return registrySorts.find((sort) => sort === column);
}

/** The query of the call for a view; what the service takes for granted is left out. */
export function queryOf({ search, sorting, page, size }: RegistriesView) {
  const by = sortOf(sorting?.column);
  const text = search.trim().slice(0, MAX_REGISTRY_NAME);
  return {
    ...(text !== '' && { search: text }),
    ...(by !== undefined && { by, direction: sorting?.direction }),
    ...(page > 0 && { offset: page * size }),
    limit: size,
  };
}

/** The page of a view, out of the whole list of a service that does not cut it. */
export function cutRegistries(all: readonly Registry[], view: RegistriesView): RegistriesPage {
  const wanted = foldText(view.search).trim();
  const by = sortOf(view.sorting?.column);
  const found = wanted === '' ? all : all.filter(({ name }) => foldText(name ?? '').includes(wanted));
  const sorted =
    by === undefined || view.sorting === undefined
      ? found
      : sortRows(found, values[by], view.sorting.direction);
  const { rows } = pageOf(sorted, view.page, view.size);
  return { registries: rows, total: found.length, more: false };
}

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
      return { ...page, registries: await withKnownRows(known && [...known], [...page.registries]) };
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
