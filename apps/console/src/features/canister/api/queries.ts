import {
  balanceEndpoints,
  type BalanceRange,
  type Canister,
  canisterDetailEndpoints,
  canisterEndpoints,
  deployTimers,
} from '@cannery/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { withKnownRows } from '../../../lib/table/rows.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';

export const canistersQuery = queryOptions({
  queryKey: queryKeys.canisters,
  queryFn: async ({ signal, client }) => {
    const fetched = await api.call(canisterEndpoints.list, { signal });
    return withKnownRows(client.getQueryData<Canister[]>(queryKeys.canisters), fetched);
  },
  // It has been done row by row.
  structuralSharing: false,
  // What changes meanwhile is told (decision 0121), so that going from page to page does not fetch a long list at every step.
  staleTime: deployTimers.refreshLists,
});

/** The list as the canisters page keeps it: fetched again every five seconds while the page is open. */
export const liveCanistersQuery = queryOptions({
  ...canistersQuery,
  refetchInterval: deployTimers.refreshLists,
});

/** A canister that was asked for by its id, which an answer may leave out. */
async function readCanister(
  id: string,
  input: { readonly query?: { readonly real_time: 'true' }; readonly signal?: AbortSignal },
): Promise<Canister> {
  const canister = await api.call(canisterEndpoints.status, { params: { id }, ...input });
  return { ...canister, id: canister.id || id };
}

/** One canister as the console last recorded it; `askNetwork` brings what the network knows now. */
export function canisterQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.canister(id),
    queryFn: ({ signal }) => readCanister(id, { signal }),
  });
}

/**
 * What the network knows of a canister now, which takes the place of what was recorded. It is no fetch of the query: one of those that is
 * under way, since news came, would be taken for it, and one that begins meanwhile would end it. Such a one is begun again: it may be older
 * than this answer, and what its news is of may be newer.
 */
export async function askNetwork(client: QueryClient, id: string): Promise<Canister> {
  const of = { queryKey: queryKeys.canister(id), exact: true };
  const canister = await readCanister(id, { query: { real_time: 'true' } });
  client.setQueryData(of.queryKey, canister);
  if (client.isFetching(of) > 0) void client.refetchQueries(of);
  return canister;
}

export function statusLogsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.statusLogs(id),
    queryFn: ({ signal }) => api.call(canisterEndpoints.statusLogs, { params: { id }, signal }),
  });
}

/** Everything the network says about a canister: settings, memory, running costs. */
export function canisterDetailsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.canisterDetails(id),
    queryFn: ({ signal }) => api.call(canisterDetailEndpoints.details, { params: { id }, signal }),
    staleTime: 10_000,
  });
}

/** A minute: the console reads balances every five. */
export const BALANCES_REFRESH_MS = 60_000;

/** Cycles of a canister over time. */
export function canisterBalancesQuery(id: string, range: BalanceRange) {
  return queryOptions({
    queryKey: queryKeys.canisterBalances(id, range),
    queryFn: ({ signal }) =>
      api.call(balanceEndpoints.balances, { params: { id }, query: { range }, signal }),
    refetchInterval: BALANCES_REFRESH_MS,
  });
}

export function canisterHistoryQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.canisterHistory(id),
    queryFn: ({ signal }) => api.call(canisterDetailEndpoints.history, { params: { id }, signal }),
  });
}

export function snapshotsQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.snapshots(id),
    queryFn: ({ signal }) => api.call(canisterDetailEndpoints.snapshots, { params: { id }, signal }),
  });
}
