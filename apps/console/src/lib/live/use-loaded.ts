import { type QueryFunction, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

interface Following<Loaded> {
  readonly queryKey: QueryKey;
  readonly queryFn: QueryFunction<Loaded>;
}

/**
 * What a page was loaded with, until news have made that old: then what the query answers.
 * @param isFollowed false for a page that stays as it was loaded
 */
export function useLoaded<Loaded>(
  { queryKey, queryFn }: Following<Loaded>,
  loaded: Loaded,
  isFollowed = true,
): Loaded {
  const client = useQueryClient();
  const { data = loaded } = useQuery({
    queryKey,
    queryFn,
    enabled: isFollowed,
    initialData: () => loaded,
    // The next visit of the page loads it.
    gcTime: 0,
  });
  const keep = useEffectEvent((latest: Loaded) => {
    if (isFollowed) client.setQueryData<Loaded>(queryKey, () => latest);
  });
  // The page is loaded again also while it is open.
  useEffect(() => keep(loaded), [loaded]);
  return isFollowed ? data : loaded;
}
