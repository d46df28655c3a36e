import {
  foldText,
  MAX_REGISTRY_NAME,
  type Registry,
  registrySorts,
  type RegistrySort,
} from '@cannery/contract';
import { pageOf } from '../table/paging.ts';
import { dateValue, type Sorting, sortRows, type SortValue } from '../table/sort.ts';

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
