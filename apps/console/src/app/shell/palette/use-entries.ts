import { productEndpoints } from '@cannery/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { canistersQuery } from '../../../features/canister/api/queries.ts';
import { pageGroups } from '../../../features/documentation/pages.ts';
import { firstView } from '../../../features/marketplace/api/dapps-view.ts';
import { dappsQuery } from '../../../features/marketplace/api/queries.ts';
import { repositoriesQuery } from '../../../features/repository/repositories.ts';
import { api } from '../../../lib/api/api.ts';
import { useSettled } from '../../../lib/browser/use-settled.ts';
import { session } from '../../../lib/session/current-session.ts';
import { deploysQuery } from '../../../lib/shared/deploys.ts';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { registriesQuery } from '../../../lib/shared/registries.ts';
import { type Offered, prepareShelves } from './find-entries.ts';
import { placesOf } from './places.ts';
import type { Doer } from './deeds.ts';
import { shelvesOf } from './things.ts';
import { useOpenEntries } from './use-open-entries.ts';

interface EntryActions {
  /** What is typed. */
  readonly text: string;
  readonly onCreateCanister: () => void;
  readonly onShortcuts: () => void;
  readonly doer: Doer;
}

/** Registries that the palette is offered at a time, the newest or those that have what is typed in their names. */
const REGISTRIES = 25;
/** They and dapps are searched for once typing pauses; milliseconds. */
const SEARCH_SETTLES_MS = 150;

/** The samples of the demo, under the key of its pages, whose code nobody else loads. */
const productsQuery = queryOptions({
  queryKey: ['sample-products'],
  queryFn: ({ signal }) => api.call(productEndpoints.list, { signal }),
});
/** The first call for samples fills a shelf, so nobody makes it who does not ask for them. */
const ASKS_FOR_SAMPLES = /prod|demo|sample/i;

/** Everything the palette offers. What the user owns is fetched when it opens; registries and dapps are searched for by the service. */
export function useEntries({ text, onCreateCanister, onShortcuts, doer }: EntryActions): Offered & {
  /** Whether there may be more in a moment. */
  readonly isLoading: boolean;
} {
  const open = useOpenEntries(doer);
  const config = usePublicConfig();
  const { data: fetched, isLoading: comeCanisters } = useQuery(canistersQuery);
  // The first search of thousands takes longer than a frame: where they come while somebody types, the keys go first.
  const canisters = useDeferredValue(fetched);
  const { data: deploys, isLoading: comeDeploys } = useQuery(deploysQuery);
  const { data: repositories } = useQuery({ ...repositoriesQuery, refetchInterval: false });
  const search = useSettled(text.trim(), SEARCH_SETTLES_MS);
  const { data: dapps, isFetching: comeDapps } = useQuery({
    ...dappsQuery({ ...firstView, search: search.slice(0, 200) }),
    placeholderData: keepPreviousData,
  });
  const { data: page } = useQuery({
    ...registriesQuery({ search, sorting: undefined, page: 0, size: REGISTRIES }),
    placeholderData: keepPreviousData,
  });
  const registries = page?.registries;
  const { data: products } = useQuery({
    ...productsQuery,
    enabled: config?.sample_products === true && ASKS_FOR_SAMPLES.test(search),
  });
  const shelves = useMemo(
    () => shelvesOf({ canisters, deploys, repositories, registries, dapps, products, config }, doer),
    [canisters, deploys, repositories, registries, dapps, products, config, doer],
  );
  useEffect(() => prepareShelves(shelves), [shelves]);
  const places = useMemo(
    () =>
      placesOf({
        go: doer.go,
        config,
        chapters: pageGroups,
        createCanister: onCreateCanister,
        showShortcuts: onShortcuts,
        signOut: () => void session.signOut(),
      }),
    [doer, config, onCreateCanister, onShortcuts],
  );
  const fixed = useMemo(() => [...open, ...places], [open, places]);
  return { fixed, shelves, isLoading: comeCanisters || comeDeploys || comeDapps };
}
