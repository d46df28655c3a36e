import { type PublicConfig, publicConfig, settingsEndpoints } from '@cannery/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { queryKeys } from './query-keys.ts';

/**
 * The configuration as whoever serves the page has written it there (`<meta name="cannery-config">`): what depends on
 * it is drawn with the page, and moves nothing. Undefined where the page does not tell.
 */
export function configOf(page: Pick<Document, 'querySelector'> | undefined): PublicConfig | undefined {
  const given = page?.querySelector('meta[name="cannery-config"]')?.getAttribute('content');
  if (!given) return undefined;
  try {
    return publicConfig.safeParse(JSON.parse(given)).data;
  } catch {
    return undefined;
  }
}

/** Addresses and names of the surroundings; they do not change while the page is open. */
export const configQuery = queryOptions({
  queryKey: queryKeys.config,
  queryFn: ({ signal }) => api.call(settingsEndpoints.config, { signal }),
  initialData: () => configOf(globalThis.document),
  // The page may be an old copy: the service is asked once all the same.
  initialDataUpdatedAt: 0,
  staleTime: ({ state }) => (state.dataUpdatedAt === 0 ? 0 : Number.POSITIVE_INFINITY),
  retry: 3,
});

/** The configuration, undefined until it has arrived. */
export function usePublicConfig(): PublicConfig | undefined {
  return useQuery(configQuery).data;
}
