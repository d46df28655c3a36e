import { canisterDetailEndpoints, type CanisterLogRecord } from '@cannery/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';

/** One page of a canister's log, newest first. */
export interface LogPage {
  readonly records: readonly CanisterLogRecord[];
  /** Where the page after this one begins; null at the end. */
  readonly next: string | null;
}

/**
 * The records on show with the newest page laid over them. When more was written than a page holds, the records
 * before it are dropped, so that no gap stands between two lines; they can be loaded again.
 */
export function withNewest(shown: LogPage | undefined, newest: LogPage): LogPage {
  const top = shown?.records[0];
  const last = newest.records.at(-1);
  if (shown === undefined || top === undefined || last === undefined) return newest;
  if (BigInt(last.index) > BigInt(top.index) + 1n && newest.next !== null) return newest;
  const older = shown.records.filter(({ index }) => BigInt(index) < BigInt(last.index));
  if (older.length === 0) return newest;
  return { records: [...newest.records, ...older], next: shown.next };
}

/** The records on show with the page before them beneath. */
export function withOlder(shown: LogPage | undefined, older: LogPage): LogPage {
  return { records: [...(shown?.records ?? []), ...older.records], next: older.next };
}

/** The records as text, oldest first, for a file or a message. */
export function logText(records: readonly CanisterLogRecord[]): string {
  return records
    .toReversed()
    .map(({ timestamp, content }) => `${timestamp} ${content}`)
    .join('\n');
}

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
