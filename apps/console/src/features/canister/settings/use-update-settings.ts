import { canisterDetailEndpoints, type SettingsChange } from '@cannery/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { actionKey, outdate } from '../api/mutations.ts';

interface SettingsUpdate {
  readonly settings: SettingsChange;
  readonly give_up_control: boolean;
}

/** Changes settings of a canister and shows what the network then says. */
export function useUpdateSettings(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: actionKey(id),
    mutationFn: (update: SettingsUpdate) =>
      api.call(canisterDetailEndpoints.updateSettings, { body: { canister_id: id, ...update } }),
    onSuccess: (details) => {
      outdate(client, id);
      client.setQueryData(queryKeys.canisterDetails(id), details);
    },
  });
}
