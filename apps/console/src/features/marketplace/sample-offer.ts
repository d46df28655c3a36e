import { type Dapp, marketplaceEndpoints } from '@cannery/contract';
import type { QueryClient } from '@tanstack/react-query';
import { ApiError, serverText } from '../../lib/api/api-error.ts';
import { api } from '../../lib/api/api.ts';
import { Store, useStore } from '../../lib/browser/store.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { toast } from '../../lib/toasts/toast-store.ts';

/** Samples on their way into the marketplace, one after the other. */
export interface SampleOffer {
  readonly names: readonly string[];
  /** How many are there. */
  readonly done: number;
  /** Why the next one has not come; undefined while it is under way. */
  readonly failure?: string;
}

/** Outlives the page of the marketplace: who goes elsewhere meanwhile comes back to what there is by then. */
const offer = new Store<SampleOffer | undefined>(undefined);

/** The samples that this tab is putting into the marketplace; undefined for none. */
export function useSampleOffer(): SampleOffer | undefined {
  return useStore(offer);
}

/**
 * Puts samples into the marketplace; each shows as soon as it is there. Does nothing while others are on their way. The service
 * has each once, whoever else offers them.
 */
export async function offerSamples(client: QueryClient, names: readonly string[], from = 0): Promise<void> {
  const earlier = offer.get();
  if (earlier !== undefined && earlier.failure === undefined) return;
  for (const [place, sample] of names.entries()) {
    if (place < from) continue;
    offer.set({ names, done: place });
    try {
      await api.call(marketplaceEndpoints.offerSample, { body: { sample } });
    } catch (failure) {
      const text = serverText(failure);
      // Whoever signs in next has nothing to do with it.
      const isOver = failure instanceof ApiError && failure.status === 401;
      offer.set(isOver ? undefined : { names, done: place, failure: text });
      toast.tell('dapp: samples not offered', { text });
      return;
    }
    await client.invalidateQueries({ queryKey: queryKeys.dapps });
  }
  offer.set(undefined);
}

/** The samples of an offer that are not in a list yet, the one that comes next last: each is followed by the one that came before. */
export function samplesToCome(
  { names, done }: SampleOffer,
  dapps: readonly Pick<Dapp, 'name'>[],
): readonly string[] {
  const there = new Set(dapps.map(({ name }) => name));
  return names
    .slice(done)
    .filter((name) => !there.has(name))
    .toReversed();
}
