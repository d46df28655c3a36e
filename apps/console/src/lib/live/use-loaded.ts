import { type QueryFunction, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

interface Following<Loaded> {
  readonly queryKey: QueryKey;
  readonly queryFn: QueryFunction<Loaded>;
}

/** What a page was loaded with, until news have made that old: then what the query answers. */
export function useLoaded<Loaded>({ queryKey, queryFn }: Following<Loaded>, loaded: Loaded): Loaded {
  const client = useQueryClient();
  const { data = loaded } = useQuery({
    queryKey,
    queryFn,
    initialData: () => loaded,
    // The next visit of the page loads it.
    gcTime: 0,
  });
  const keep = useEffectEvent((latest: Loaded) => client.setQueryData<Loaded>(queryKey, () => latest));
  // The page is loaded again also while it is open.
  useEffect(() => void keep(loaded), [loaded]);
  return data;
}
