import { inspectionEndpoints, marketplaceEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { actionKey, reload } from '../api/mutations.ts';

/** The user's canisters that run a version of a dapp; none where the service does not know such. */
export const instancesQuery = queryOptions({
  queryKey: queryKeys.dappInstances,
  queryFn: ({ signal }) => api.call(marketplaceEndpoints.instances, { signal }),
});

/** What an update of a canister would mean for its callers and its data. */
export function updateInspectionQuery(canisterId: string, identifier: string) {
  return queryOptions({
    queryKey: ['update-inspection', canisterId, identifier],
    queryFn: ({ signal }) =>
      api.call(inspectionEndpoints.inspect, { body: { canister_id: canisterId, identifier }, signal }),
    staleTime: 0,
  });
}

/** A change of a canister from one version of its dapp to another. */
function useVersionChange<Input>(id: string, call: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: call,
    onSettled: async () => {
      await reload(client, id);
      void client.invalidateQueries({ queryKey: queryKeys.canisters });
      await client.invalidateQueries({ queryKey: queryKeys.dappInstances });
    },
  });
}

/** Upgrades a canister to the newest version of its dapp. */
export function useUpgradeInstance(id: string) {
  return useVersionChange(
    id,
    ({ identifier, argument }: { identifier: string; argument: string | undefined }) =>
      askOnce(`upgrade ${id} to ${identifier} ${argument ?? ''}`, (idempotencyKey) =>
        api.call(marketplaceEndpoints.upgrade, {
          body: {
            canister_id: id,
            identifier,
            ...(argument !== undefined && { argument_hex: argument }),
          },
          idempotencyKey,
        }),
      ),
  );
}

/** Puts a canister back to what it was before its last upgrade. @param snapshot the id of what it goes back to */
export function useGoBack(id: string, snapshot: string) {
  return useVersionChange(id, (_nothing: undefined) =>
    askOnce(`go back ${id} to ${snapshot}`, (idempotencyKey) =>
      api.call(marketplaceEndpoints.goBack, { body: { canister_id: id }, idempotencyKey }),
    ),
  );
}
