import {
  canisterPictureEndpoints,
  type Dapp,
  documentEndpoints,
  marketplaceEndpoints,
} from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { isAnswered } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { dappsAfter } from './dapp-state.ts';
import { type DappsView, queryOf } from './dapps-view.ts';

/** What the service answers for a view of the marketplace. */
export function dappsQuery(view: DappsView) {
  return queryOptions({
    queryKey: queryKeys.dappList(view),
    queryFn: async ({ signal, client }) => {
      const known = client.getQueryData<Dapp[]>(queryKeys.dappList(view)) ?? [];
      const dapps = await dappsOf(view, signal);
      return dappsAfter(known, { type: 'GET_DAPPS', dapps });
    },
  });
}

/** The page of a view, or all dapps from a service that takes no query; the view cuts those by itself. */
async function dappsOf(view: DappsView, signal: AbortSignal): Promise<Dapp[]> {
  try {
    return await api.call(marketplaceEndpoints.list, { query: queryOf(view), signal });
  } catch (error) {
    if (!isAnswered(error)) throw error;
    return await api.call(marketplaceEndpoints.list, { signal });
  }
}

/** One dapp, which was asked for by its id; an answer may leave that out. */
export function dappQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.dapp(id),
    queryFn: async ({ signal }) => {
      const dapp = await api.call(marketplaceEndpoints.one, { params: { id }, signal });
      return { ...dapp, id: dapp.id || id };
    },
  });
}

/** The versions of a dapp, newest first; a service may not have this call. */
export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.dappVersions(id),
    queryFn: ({ signal }) => api.call(marketplaceEndpoints.versions, { params: { id }, signal }),
  });
}

/** What the user has rated a dapp, and whether the user may; a service may not have this call. */
export function ownRatingQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.dappRating(id),
    queryFn: ({ signal }) => api.call(marketplaceEndpoints.rating, { params: { id }, signal }),
  });
}

/** The dapps that come with the product; a service may have none. */
export const samplesQuery = queryOptions({
  queryKey: queryKeys.dappSamples,
  queryFn: ({ signal }) => api.call(marketplaceEndpoints.samples, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What a version can be called with; that never changes. */
export function interfaceQuery(versionId: string) {
  return queryOptions({
    queryKey: queryKeys.dappInterface(versionId),
    queryFn: ({ signal }) => api.call(marketplaceEndpoints.interface, { params: { id: versionId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The user's canisters that run a module and have a picture of it; a service may not have this call. */
export function dappPicturesQuery(wasm: string) {
  return queryOptions({
    // They change with the canisters.
    queryKey: [...queryKeys.dappInstances, 'pictures', wasm],
    queryFn: ({ signal }) =>
      api.call(canisterPictureEndpoints.pictureChoices, { params: { module: wasm }, signal }),
    staleTime: 0,
  });
}

/** An icon as a data URL; its identifier names its bytes, so it never changes. */
export function iconQuery(identifier: string) {
  return queryOptions({
    queryKey: queryKeys.icon(identifier),
    queryFn: async ({ signal }) =>
      (await api.call(documentEndpoints.get, { params: { identifier }, signal })) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
