import {
  canisterEndpoints,
  trimAmount,
  type BodyInputOf,
  type Canister,
  type NamedOrigin,
} from '@cannery/contract';
import { useIsMutating, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ApiError, isMissing } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { replaceCanister, withCanister, withoutCanister } from './canister-state.ts';
import { askNetwork, canisterQuery } from './queries.ts';

/** Key of every mutation that changes a canister. */
export const actionKey = (id: string) => ['canister-action', id];

/** Key of the one that deletes it. */
export const deletionKey = (id: string) => [...actionKey(id), 'deletion'];

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
  void client.invalidateQueries({ queryKey: queryKeys.dappInstances });
}

/** Puts what a call answered of a canister in every place that shows it. */
function keep(client: QueryClient, canister: Canister): void {
  client.setQueryData(queryKeys.canister(canister.id), canister);
  client.setQueryData<Canister[]>(queryKeys.canisters, (list) => list && replaceCanister(list, canister));
  outdate(client, canister.id);
}

/** Puts what an action is known to have changed of a canister in every place that shows it. */
export function change(client: QueryClient, id: string, changed: Partial<Canister>): void {
  client.setQueryData<Canister>(
    queryKeys.canister(id),
    (canister) => canister && { ...canister, ...changed },
  );
  client.setQueryData<Canister[]>(queryKeys.canisters, (list) =>
    list?.map((canister) => (canister.id === id ? { ...canister, ...changed } : canister)),
  );
}

/**
 * Asks the network for a canister after an action on it. What the action is known to have changed stands, whatever the
 * answer says; without an answer the canister stays as it is shown.
 */
export async function reload(
  client: QueryClient,
  id: string,
  changed: Partial<Canister> = {},
): Promise<void> {
  const canister = await askNetwork(client, id).catch(() => undefined);
  if (canister === undefined) outdate(client, id);
  else keep(client, { ...canister, ...changed });
}

/** A refresh without an answer after this many milliseconds shows of when the page is. */
const SLOW_REFRESH_MS = 3000;

/** Says on the page of when its state is. */
function dateState(client: QueryClient, id: string): void {
  const known = client.getQueryState<Canister>(queryKeys.canister(id));
  if (known?.data === undefined || known.data.as_of) return;
  const asOf = new Date(known.dataUpdatedAt).toISOString();
  client.setQueryData<Canister>(queryKeys.canister(id), { ...known.data, as_of: asOf });
}

/** Asks the network for a canister and puts the answer in place; a failure leaves what is shown, with its age. */
export function useRefreshCanister(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const timer = setTimeout(() => dateState(client, id), SLOW_REFRESH_MS);
      try {
        return await askNetwork(client, id);
      } catch (error) {
        // Its page says that it is gone when it has asked for it itself.
        if (isMissing(error)) void client.invalidateQueries({ queryKey: queryKeys.canister(id) });
        else dateState(client, id);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    onSuccess: (canister) => keep(client, canister),
  });
}

/** What a creation says; of the registry its id. */
interface NewCanister {
  readonly name: string;
  readonly registry?: string;
}

/** Creates a canister and puts it at the top of the list. */
export function useCreateCanister() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, registry }: NewCanister): Promise<Canister | undefined> => {
      const body = registry === undefined ? { name } : { name, registry };
      const id = await askOnce(`create ${name} ${registry ?? ''}`, (key) =>
        api.call(canisterEndpoints.create, { body, idempotencyKey: key }),
      );
      // The canister exists from here on; if it cannot be read now, the next refresh of the list brings it.
      return id === undefined ? undefined : client.fetchQuery(canisterQuery(id)).catch(() => undefined);
    },
    onSuccess: (canister) => {
      if (canister)
        client.setQueryData<Canister[]>(queryKeys.canisters, (list) => withCanister(list, canister));
    },
    // Also after a failure: a canister may be there whose code could not be installed.
    onSettled: () => {
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
    onSuccess: async (_answer, running) => {
      const status = running ? 'running' : 'stopped';
      change(client, id, { status });
      await reload(client, id, { status });
    },
  });
}

/** Sends a top-up, `exact` in T, cut to two decimals; where one got no answer, as the same request. @throws ApiError */
async function sendTopUp(id: string, exact: number): Promise<void> {
  const amount = trimAmount(exact);
  const { error } = await askOnce(`top up ${id} ${amount}`, (key) =>
    api.call(canisterEndpoints.topUp, { body: { canister_id: id, amount }, idempotencyKey: key }),
  );
  if (error) throw ApiError.fromAnswer(200, { error });
}

/** Tops a canister up; the amount in T. */
export function useTopUp(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: (exact: number) => sendTopUp(id, exact),
    onSuccess: () => reload(client, id),
  });
}

/** Does something to one of many canisters; its controls are locked meanwhile. */
function lockedAction(client: QueryClient, id: string, act: () => Promise<unknown>): Promise<unknown> {
  const mutation = { mutationKey: actionKey(id), mutationFn: act };
  return client.getMutationCache().build(client, mutation).execute(undefined);
}

/** Starts or stops one of many canisters. The list that they are in is to be asked for afterwards. @throws ApiError */
export async function setRunningOf(client: QueryClient, id: string, running: boolean): Promise<void> {
  const call = running ? canisterEndpoints.start : canisterEndpoints.stop;
  await lockedAction(client, id, () => api.call(call, { body: { canister_id: id } }));
  change(client, id, { status: running ? 'running' : 'stopped' });
  outdate(client, id);
}

/** Tops up one of many canisters, as `useTopUp`. The list that they are in is to be asked for afterwards. @throws ApiError */
export async function topUpOf(client: QueryClient, id: string, exact: number): Promise<void> {
  await lockedAction(client, id, () => sendTopUp(id, exact));
  outdate(client, id);
}

/** What an install call says beside the canister. */
export type InstallRequest = Omit<BodyInputOf<typeof canisterEndpoints.install>, 'canister_id'>;

/** An install call, and what its module is taken from; without that it is a file. */
interface Installation {
  readonly request: InstallRequest;
  readonly codeOrigin: NamedOrigin | undefined;
}

/** Installs an uploaded module, then asks the network for the canister. */
export function useInstall(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: ({ request, codeOrigin }: Installation) =>
      askOnce(`install in ${id} ${JSON.stringify([request, codeOrigin])}`, (idempotencyKey) =>
        api.call(canisterEndpoints.install, {
          body: { canister_id: id, ...request },
          codeOrigin,
          idempotencyKey,
        }),
      ),
    onSuccess: () => reload(client, id),
  });
}

/** Deletes a stopped canister and takes it off the list. */
export function useDeleteCanister(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletionKey(id),
    mutationFn: () => api.call(canisterEndpoints.delete, { body: { canister_id: id } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: queryKeys.canister(id), type: 'inactive' });
      client.setQueryData<Canister[]>(queryKeys.canisters, (list) => list && withoutCanister(list, id));
      void client.invalidateQueries({ queryKey: queryKeys.canisters });
    },
  });
}
