import { type EmbeddedNetwork, networkEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';

/** Others may change the network, and time passes: it is asked for this often while the page is open, in milliseconds. */
const EVERY_MS = 5_000;

/** The embedded network as it is now. */
export const networkQuery = queryOptions({
  queryKey: ['network'],
  queryFn: ({ signal }) => api.call(networkEndpoints.read, { signal }),
  refetchInterval: EVERY_MS,
});

/** A change of the network; what it answers is shown. */
function useChange<Input>(change: (input: Input) => Promise<EmbeddedNetwork>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (network) => client.setQueryData(networkQuery.queryKey, network),
  });
}

/** Sets time ahead by a number of seconds. */
export const useAdvance = () =>
  useChange((seconds: number) => api.call(networkEndpoints.advance, { body: { seconds } }));

/** Lets canisters call out, or not. */
export const useOutcalls = () =>
  useChange((allowed: boolean) => api.call(networkEndpoints.outcalls, { body: { allowed } }));
