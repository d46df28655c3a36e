import { marketplaceEndpoints } from '@cannery/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { ownRatingQuery } from '../api/queries.ts';

/**
 * Rates a dapp, or withdraws the rating with null. Ratings of one dapp are sent one after the other, so that the one chosen last
 * is the one that stays; what is chosen shows at once.
 */
export function useRateDapp(id: string) {
  const client = useQueryClient();
  const { queryKey } = ownRatingQuery(id);
  const mutationKey = ['rate dapp', id];
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (stars: number | null) =>
      api.call(marketplaceEndpoints.rate, { params: { id }, body: { stars } }),
    onMutate: async (stars) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (known) => known && { ...known, stars });
    },
    onSettled: () => {
      // An answer of before the last choice would show what is no longer chosen.
      if (client.isMutating({ mutationKey }) > 1) return;
      for (const key of [queryKey, queryKeys.dapp(id), queryKeys.dapps]) {
        void client.invalidateQueries({ queryKey: key });
      }
    },
  });
}
