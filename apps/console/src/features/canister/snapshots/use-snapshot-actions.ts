import { canisterDetailEndpoints, canisterEndpoints, type CanisterSnapshot } from '@cannery/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { tableDate } from '../../../lib/text/formats.ts';
import { actionKey, change, outdate, reload } from '../api/mutations.ts';

/** How a snapshot is told apart in a sentence or a list: by its moment and size. */
export function snapshotName({ taken_at, total_size }: CanisterSnapshot): string {
  return `${tableDate(taken_at)}, ${byteSize(total_size)}`;
}

/** What to do about a canister that runs: snapshots are taken and restored while it is stopped. */
interface Pause {
  /** Stop it first. */
  readonly stop: boolean;
  /** Start it again afterwards, also when the action failed. */
  readonly restart: boolean;
}

/** Runs an action on a canister that is stopped meanwhile. */
async function whileStopped<Answer>(
  client: QueryClient,
  id: string,
  { stop, restart }: Pause,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const set = async (status: 'running' | 'stopped'): Promise<void> => {
    const endpoint = status === 'running' ? canisterEndpoints.start : canisterEndpoints.stop;
    await api.call(endpoint, { body: { canister_id: id } });
    change(client, id, { status });
  };
  if (stop) await set('stopped');
  try {
    return await act();
  } finally {
    if (stop && restart) await set('running');
  }
}

/** Takes a snapshot, instead of another one when one is named. */
export function useTakeSnapshot(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: ({ replace, ...pause }: Pause & { readonly replace: string | undefined }) =>
      whileStopped(client, id, pause, () =>
        api.call(canisterDetailEndpoints.takeSnapshot, { body: { canister_id: id, replace } }),
      ),
    onSettled: () => outdate(client, id),
  });
}

/** Puts a canister back to a snapshot. */
export function useRestoreSnapshot(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: ({ snapshot, ...pause }: Pause & { readonly snapshot: string }) =>
      whileStopped(client, id, pause, () =>
        api.call(canisterDetailEndpoints.restoreSnapshot, {
          body: { canister_id: id, snapshot_id: snapshot },
        }),
      ),
    // Its code may be another one now.
    onSettled: () => reload(client, id),
  });
}

/** Deletes a snapshot; the canister may run meanwhile. */
export function useDeleteSnapshot(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: (snapshot: string) =>
      api.call(canisterDetailEndpoints.deleteSnapshot, {
        body: { canister_id: id, snapshot_id: snapshot },
      }),
    onSuccess: () => outdate(client, id),
  });
}
