import { type BodyInputOf, type Dapp, marketplaceEndpoints } from '@cannery/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { useAuth } from '../../../lib/session/auth-state.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { type DappsEvent, dappsAfter } from './dapp-state.ts';
import { firstView } from './dapps-view.ts';
import { dappsQuery } from './queries.ts';

export type Submission = BodyInputOf<typeof marketplaceEndpoints.submit>;
export type Update = BodyInputOf<typeof marketplaceEndpoints.update>;

/** Changes every list of dapps that is known. */
function changeLists(client: QueryClient, event: DappsEvent): void {
  client.setQueriesData<Dapp[]>({ queryKey: queryKeys.dapps }, (list) => list && dappsAfter(list, event));
}

/** Puts a dapp into the marketplace, and first into the list of the newest. */
export function useSubmitDapp() {
  const client = useQueryClient();
  const { currentUser } = useAuth();
  return useMutation({
    mutationFn: async (body: Submission): Promise<Dapp> => {
      const id = await askOnce(`submit ${JSON.stringify(body)}`, (idempotencyKey) =>
        api.call(marketplaceEndpoints.submit, { body, idempotencyKey }),
      );
      if (id === undefined) {
        throw ApiError.unreadable(marketplaceEndpoints.submit.path, 'The answer has no id.');
      }
      const { kind = null, icon = null, name } = body;
      return {
        id,
        kind,
        icon,
        // Its address is the service's.
        picture: null,
        picture_of: null,
        name,
        app_name: name,
        installs: null,
        rating: null,
        ratings: null,
        git_url: body.git_url,
        description: body.description,
        wasm: body.wasm,
        version: body.version,
        created_at: new Date().toISOString(),
        user: { username: currentUser?.username ?? null },
      };
    },
    onSuccess: async (dapp, { picture }) => {
      // What the other lists show of it, the service knows.
      client.removeQueries({ queryKey: queryKeys.dapps, type: 'inactive' });
      const newest = dappsQuery(firstView);
      // A list that is not on show is read first: it has more than this dapp.
      const list = await client.ensureQueryData({ ...newest, retry: false }).catch(() => undefined);
      if (list === undefined) return;
      client.setQueryData(newest.queryKey, dappsAfter(list, { type: 'SUBMIT_DAPP', dapp }));
      if (picture) void client.invalidateQueries({ queryKey: queryKeys.dapps });
    },
  });
}

/** Changes a dapp everywhere it is shown. */
export function useUpdateDapp(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Update): Promise<Update> => {
      await askOnce(`update ${id} ${JSON.stringify(body)}`, (idempotencyKey) =>
        api.call(marketplaceEndpoints.update, { params: { id }, body, idempotencyKey }),
      );
      return body;
    },
    onSuccess: ({ notes: _notes, picture, ...body }) => {
      const { name } = body;
      const changed: Partial<Dapp> = { ...body, ...(name !== undefined && { app_name: name }) };
      changeLists(client, { type: 'UPDATE_DAPP', id, changed });
      client.setQueryData<Dapp>(queryKeys.dapp(id), (dapp) => dapp && { ...dapp, ...changed });
      void client.invalidateQueries({ queryKey: queryKeys.dapp(id) });
      if (picture != null) void client.invalidateQueries({ queryKey: queryKeys.dapps });
    },
  });
}

/** Key of the call that deletes a dapp. */
export const deletionKey = (id: string) => ['dapp-deletion', id];

/** Takes a dapp out of the marketplace. */
export function useDeleteDapp(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletionKey(id),
    mutationFn: () =>
      askOnce(`delete dapp ${id}`, (idempotencyKey) =>
        api.call(marketplaceEndpoints.delete, { params: { id }, idempotencyKey }),
      ),
    onSuccess: () => {
      changeLists(client, { type: 'DELETE_DAPP', id });
      client.removeQueries({ queryKey: queryKeys.dapp(id), type: 'inactive' });
      void client.invalidateQueries({ queryKey: queryKeys.dapps });
    },
  });
}
