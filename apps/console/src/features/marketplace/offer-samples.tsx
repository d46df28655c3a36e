import { marketplaceEndpoints } from '@cannery/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { serverText } from '../../lib/api/api-error.ts';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { samplesQuery } from './api/queries.ts';

/** Puts the dapps that come with the product into the marketplace, one after the other; nothing where there are none. */
export function OfferSamples() {
  const client = useQueryClient();
  const { data: samples } = useQuery(samplesQuery);
  const [done, setDone] = useState(0);
  const offer = useMutation({
    mutationFn: async (names: readonly string[]) => {
      setDone(0);
      for (const [index, sample] of names.entries()) {
        await api.call(marketplaceEndpoints.offerSample, { body: { sample } });
        setDone(index + 1);
      }
    },
    onError: (failure) => toast.tell('dapp: samples not offered', { text: serverText(failure) }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.dapps }),
  });
  if (samples === undefined || samples.length === 0) return null;
  return (
    <Button disabled={offer.isPending} onClick={() => offer.mutate(samples.map(({ name }) => name))}>
      {offer.isPending
        ? `Compiling sample ${Math.min(done + 1, samples.length)} of ${samples.length}`
        : `Offer ${samples.length} sample dapps`}
    </Button>
  );
}
