import { type CanisterPicture, canisterPictureEndpoints, deployTimers } from '@cannery/contract';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';

/** It is outdated with its canister. */
const pictureKey = (id: string) => [...queryKeys.canister(id), 'picture'];

/** Everything that shows the picture of a canister. */
function outdatePictures(client: QueryClient, id: string): void {
  // The answer that tells of it is under the key of the canister as well, and must not be asked for again.
  void client.invalidateQueries({ queryKey: queryKeys.canister(id), exact: true });
  void client.invalidateQueries({ queryKey: queryKeys.canisters });
  void client.invalidateQueries({ queryKey: queryKeys.dappInstances });
}

/** The picture of a canister; asked for again while one is under way, should nobody tell of its end. */
export function canisterPictureQuery(id: string) {
  return queryOptions({
    queryKey: pictureKey(id),
    queryFn: async ({ signal, client }) => {
      const before = client.getQueryData<CanisterPicture>(pictureKey(id));
      const now = await api.call(canisterPictureEndpoints.readPicture, { params: { id }, signal });
      if (before?.ordered === true && !now.ordered) outdatePictures(client, id);
      return now;
    },
    refetchInterval: ({ state }) => (state.data?.ordered === true ? deployTimers.pollInstance : false),
  });
}

/** Has a picture taken of what a canister serves. */
export function useOrderPicture(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.call(canisterPictureEndpoints.orderPicture, { body: { canister_id: id } }),
    onSuccess: (picture) => client.setQueryData<CanisterPicture>(pictureKey(id), picture),
  });
}
