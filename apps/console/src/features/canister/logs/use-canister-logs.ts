import { canisterDetailEndpoints } from '@cannery/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { type LogPage, withNewest, withOlder } from './log-pages.ts';

/** Milliseconds between two looks at the newest records while the page is visible. */
export const LOG_REFRESH_MS = 5_000;
const PAGE_SIZE = 200;

function readPage(id: string, search: string, before?: string, signal?: AbortSignal): Promise<LogPage> {
  return api.call(canisterDetailEndpoints.logs, {
    params: { id },
    query: { limit: PAGE_SIZE, before, search: search === '' ? undefined : search },
    signal,
  });
}

/** What a canister printed, growing at its top by itself and at its end on demand. */
export function useCanisterLogs(id: string, search: string) {
  const client = useQueryClient();
  const queryKey = queryKeys.canisterLogs(id, search);
  const newest = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const page = await readPage(id, search, undefined, signal);
      return withNewest(client.getQueryData<LogPage>(queryKey), page);
    },
    refetchInterval: LOG_REFRESH_MS,
    // A search changes the records in place.
    placeholderData: keepPreviousData,
  });
  const older = useMutation({
    mutationFn: (before: string) => readPage(id, search, before),
    onSuccess: (page) => client.setQueryData<LogPage>(queryKey, (shown) => withOlder(shown, page)),
  });
  return { newest, older };
}
