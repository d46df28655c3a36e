import { type QueryFunction, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { isNotFound, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

interface Following<Loaded> {
  readonly queryKey: QueryKey;
  readonly queryFn: QueryFunction<Loaded>;
}

/**
 * What a page was loaded with, until news have made that old: then what the query answers. Where that is that there is no such page any
 * more, the page is loaded again, and says so.
 * @param isLeaving whether the page itself takes away what it shows, and leads to another one then
 */
export function useLoaded<Loaded>(
  { queryKey, queryFn }: Following<Loaded>,
  loaded: Loaded,
  isLeaving = false,
): Loaded {
  const client = useQueryClient();
  const router = useRouter();
  const { data = loaded, error } = useQuery({
    queryKey,
    queryFn,
    initialData: () => loaded,
    // The next visit of the page loads it.
    gcTime: 0,
  });
  const keep = useEffectEvent((latest: Loaded) => client.setQueryData<Loaded>(queryKey, () => latest));
  // The page is loaded again also while it is open.
  useEffect(() => void keep(loaded), [loaded]);
  const isGone = isNotFound(error) && !isLeaving;
  useEffect(() => {
    if (isGone) void router.invalidate();
  }, [isGone, router]);
  return data;
}
