import { canisterEndpoints, trimAmount, type BodyInputOf, type Canister } from '@cannery/contract';
import { useIsMutating, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { payOnce } from '../../lib/pay-once.ts';
import { queryKeys } from '../../lib/query-keys.ts';
import { replaceCanister, withCanister, withoutCanister } from './canister-state.ts';
import { realTimeCanisterQuery } from './queries.ts';

/** Key of every mutation that changes a canister. */
export const actionKey = (id: string) => ['canister-action', id];

/** Whether any action runs on a canister; its controls are locked meanwhile. */
export function useCanisterLocked(id: string): boolean {
  return useIsMutating({ mutationKey: actionKey(id) }) > 0;
}

/** Marks everything that an action changes beside the canister itself as outdated; what is on screen is fetched again. */
export function outdate(client: QueryClient, id: string): void {
  const { statusLogs, canisterDetails, canisterBalances, canisterHistory, snapshots } = queryKeys;
  for (const key of [statusLogs, canisterDetails, canisterBalances, canisterHistory, snapshots]) {
    void client.invalidateQueries({ queryKey: key(id) });
  }
}

/** Puts what a call answered of a canister in every place that shows it. */
export function keep(client: QueryClient, canister: Canister): void {
  client.setQueryData(queryKeys.canister(canister.id), canister);
  client.setQueryData<Canister[]>(queryKeys.canisters, (list) => list && replaceCanister(list, canister));
  outdate(client, canister.id);
}

/** Asks the network for a canister and puts the answer in place; a failure leaves what is shown. */
export function useRefreshCanister(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => client.fetchQuery(realTimeCanisterQuery(id)),
    onSuccess: (canister) => keep(client, canister),
  });
}

/** Creates a canister and puts it at the top of the list. */
export function useCreateCanister() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string): Promise<Canister | undefined> => {
      const answer = await payOnce(`create ${name}`, (key) =>
        api.call(canisterEndpoints.create, { body: { name, idempotency_key: key } }),
      );
      const id = answer.canister_id.canister_id;
      // The canister exists from here on; if it cannot be read now, the next refresh of the list brings it.
      return api.call(canisterEndpoints.status, { params: { id } }).catch(() => undefined);
    },
    onSuccess: (canister) => {
      if (canister)
        client.setQueryData<Canister[]>(queryKeys.canisters, (list) => withCanister(list, canister));
      void client.invalidateQueries({ queryKey: queryKeys.canisters });
    },
  });
}

/** Starts or stops a canister; the status shown changes only once the call has succeeded. */
export function useSetRunning(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: (running: boolean) =>
      api.call(running ? canisterEndpoints.start : canisterEndpoints.stop, { body: { canister_id: id } }),
    onSuccess: (canister) => keep(client, canister),
  });
}

/** Tops a canister up; `amount` in T, cut to two decimals. */
export function useTopUp(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: (exact: number) => {
      const amount = trimAmount(exact);
      return payOnce(`top up ${id} ${amount}`, (key) =>
        api.call(canisterEndpoints.topUp, { body: { canister_id: id, amount, idempotency_key: key } }),
      );
    },
    onSuccess: ({ canister }) => keep(client, canister),
  });
}

/** What an install call says beside the canister. */
export type InstallRequest = Omit<BodyInputOf<typeof canisterEndpoints.install>, 'canister_id'>;

/** Installs an uploaded module, then asks the network for the canister. */
export function useInstall(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: async (request: InstallRequest): Promise<Canister> => {
      const { data } = await api.call(canisterEndpoints.install, { body: { canister_id: id, ...request } });
      return data;
    },
    onSuccess: async (canister) => {
      keep(client, canister);
      await client.fetchQuery(realTimeCanisterQuery(id)).catch(() => undefined);
    },
  });
}

/** Deletes a stopped canister and takes it off the list. */
export function useDeleteCanister(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: () => api.call(canisterEndpoints.delete, { body: { canister_id: id } }),
    onSuccess: () => {
      client.setQueryData<Canister[]>(queryKeys.canisters, (list) => list && withoutCanister(list, id));
      void client.invalidateQueries({ queryKey: queryKeys.canisters });
    },
  });
}
