import { hashKey, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { clockTime } from '../../lib/text/formats.ts';

/** Milliseconds that an answer may take before a list is old. */
const GRACE_MS = 1_000;
/** How often most lists are fetched again, in milliseconds. */
const USUAL_MS = 5_000;

/** Of when the oldest of some answers is, in milliseconds since 1970 (0 where none has come), and whether a refresh of one has failed. */
function ageOf(client: QueryClient, keys: readonly QueryKey[]): { at: number; hasFailed: boolean } {
  const states = keys
    .flatMap((key) => client.getQueryState(key) ?? [])
    .filter(({ data }) => data !== undefined);
  return {
    at: states.length === 0 ? 0 : Math.min(...states.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    hasFailed: states.some(({ status }) => status === 'error'),
  };
}

/** The same, for who draws nothing but that: a page of ten thousand rows is not drawn again because a minute has passed. */
function useAge(keys: readonly QueryKey[]): { at: number; hasFailed: boolean } {
  const client = useQueryClient();
  const hashes = keys.map(hashKey).join('\n');
  const subscribe = useCallback(
    (listener: () => void) => {
      const watched = new Set(hashes.split('\n'));
      return client.getQueryCache().subscribe(({ query }) => {
        if (watched.has(query.queryHash)) listener();
      });
    },
    [client, hashes],
  );
  const [at, hasFailed] = useSyncExternalStore(subscribe, () => {
    const age = ageOf(client, keys);
    return `${age.at} ${age.hasFailed}`;
  }).split(' ');
  return { at: Number(at), hasFailed: hasFailed === 'true' };
}

/** Whether a time is longer ago than `afterMs`; notices it when the moment comes. */
function useIsOld(at: number, afterMs: number): boolean {
  const [oldAt, setOldAt] = useState<number>();
  useEffect(() => {
    if (at === 0 || afterMs === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => setOldAt(at), Math.max(0, at + afterMs - Date.now()));
    return () => clearTimeout(timer);
  }, [at, afterMs]);
  return oldAt === at;
}

interface AsOfProps {
  /** Keys of the answers that are on show. */
  readonly of: readonly QueryKey[];
  /** How often they are fetched again, in milliseconds; infinity for what is fetched on demand. */
  readonly everyMs?: number;
}

/**
 * Of when what is on show is: from the first refresh of it that failed, or did not come in time, until one comes. Nothing while it is
 * fresh.
 */
export function AsOf({ of, everyMs = USUAL_MS }: AsOfProps) {
  const { at, hasFailed } = useAge(of);
  const isOld = useIsOld(at, everyMs + GRACE_MS);
  if (at === 0 || !(hasFailed || isOld)) return null;
  const moment = new Date(at).toISOString();
  return (
    <span role="status" className="text-sm whitespace-nowrap text-warn">
      as of <time dateTime={moment}>{clockTime(moment)}</time>
    </span>
  );
}
