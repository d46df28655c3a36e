import {
  type BodyInputOf,
  type CanisterFate,
  deployEndpoints,
  deployTimers,
  repositoryEndpoints,
  type CreateDeployForm,
  type Deploy,
  type DeployInstance,
  type DeployType,
  type StartingCycles,
} from '@cannery/contract';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { api } from '../../../lib/api/api.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import type { DeployDraft } from '../../../lib/shared/deploy-draft.ts';
import { serverText } from '../../../lib/api/api-error.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { createPayload, type DeploySettings, savedSettings, settingsPayload } from './payloads.ts';
import { localInstance, withInstance } from './instances.ts';

/** The create call went through, but the first run could not be triggered. */
export class FirstTriggerError extends Error {
  override readonly name = 'FirstTriggerError';

  constructor(cause: unknown) {
    super('Failed! Could not trigger deploy', { cause });
  }
}

/** A call went through without the id that it is made for. */
class NoIdError extends Error {
  override readonly name = 'NoIdError';
}

/**
 * Triggers a run of a deploy and answers its id.
 * @param canisters names of those that it is limited to; none for the whole project
 * @throws NoIdError when the answer has none
 */
async function trigger(deployId: string, canisters: readonly string[] = []): Promise<string> {
  const purpose = JSON.stringify(['trigger', deployId, ...canisters]);
  const id = await askOnce(purpose, (idempotencyKey) =>
    api.call(deployEndpoints.trigger, {
      params: { id: deployId },
      // A service that knows no parts gets the call of the specification.
      ...(canisters.length === 0 ? {} : { body: { canisters: [...canisters] } }),
      idempotencyKey,
    }),
  );
  if (id === undefined) throw new NoIdError('Failed! Could not trigger deploy');
  return id;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The draft with a repository: one of a starter template is made now, and not before, so that whoever goes back leaves none behind.
 * @param made the one that an attempt before has made
 */
async function withRepository(draft: DeployDraft, made: { current: DeployDraft | undefined }) {
  const { template, ...own } = draft;
  if (template === undefined) return draft;
  if (made.current !== undefined) return made.current;
  const { owner, name, url } = await api.call(repositoryEndpoints.addTemplate, { params: { id: template } });
  made.current = { ...own, owner: owner.login, repo_name: name, url };
  return made.current;
}

/**
 * Creates a deploy, waits four seconds, triggers its first run and answers its id. After a failed trigger the
 * created id is kept, so that the next attempt triggers only.
 */
export function useCreateDeploy(draft: DeployDraft, deployType: DeployType, outsideUrl?: string) {
  const client = useQueryClient();
  const created = useRef<string>(undefined);
  const made = useRef<DeployDraft>(undefined);
  return useMutation({
    mutationFn: async ({
      form,
      starting,
    }: {
      form: CreateDeployForm;
      starting: readonly StartingCycles[];
    }): Promise<string> => {
      if (created.current === undefined) {
        const source = await withRepository(draft, made);
        const body = createPayload(source, deployType, form, outsideUrl, starting);
        const id = await askOnce(JSON.stringify(['create deploy', body]), (idempotencyKey) =>
          api.call(deployEndpoints.create, { body, idempotencyKey }),
        );
        if (id === undefined) throw new NoIdError('Something went wrong');
        created.current = id;
        await pause(deployTimers.firstTriggerDelay);
      }
      const id = created.current;
      try {
        await trigger(id);
      } catch (cause) {
        throw new FirstTriggerError(cause);
      }
      return id;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.deploys }),
    onSettled: () => {
      if (draft.template !== undefined) void client.invalidateQueries({ queryKey: queryKeys.repositories });
    },
  });
}

/** Triggers a run and puts it, as SCHEDULED, at the top of the list. */
export function useTrigger(deployId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (canisters: readonly string[]) => trigger(deployId, canisters),
    onSuccess: (id, canisters) =>
      showScheduled(client, deployId, {
        ...localInstance(deployId, id, new Date()),
        chosen_canisters: [...canisters],
      }),
  });
}

/**
 * Starts a rollback to a run and puts it, as SCHEDULED, at the top of the list.
 * @param onStarted what the page does then, with the id of the rollback
 */
export function useRollBack(source: DeployInstance, onStarted: (id: string) => void = () => undefined) {
  const client = useQueryClient();
  const { id: instanceId } = source;
  const id = source.deploy_id ?? '';
  return useMutation({
    mutationFn: async ({ pausesPush }: { readonly pausesPush: boolean }) => {
      // First: a push that comes in between would replace what is rolled back to.
      if (pausesPush) {
        await api.call(deployEndpoints.update, { params: { id }, body: { push_paused: true } });
        client.setQueryData<Deploy>(
          queryKeys.deploy(id),
          (shown) => shown && { ...shown, ...shownOf({ push_paused: true }) },
        );
      }
      return askOnce(`roll back ${id} ${instanceId}`, (idempotencyKey) =>
        api.call(deployEndpoints.rollback, { params: { id, instanceId }, idempotencyKey }),
      );
    },
    onSuccess: async (started) => {
      toast.tell('deploy: rollback started');
      if (started === undefined) return client.invalidateQueries({ queryKey: queryKeys.instances(id) });
      await showScheduled(client, id, localInstance(id, started, new Date(), source));
      onStarted(started);
    },
    onError: (failure) => toast.tell('deploy: rollback not started', { text: serverText(failure) }),
  });
}

/** Starts a run that publishes what a refused run has built, and puts it, as SCHEDULED, at the top of the list. */
export function usePublishAnyway(source: DeployInstance) {
  const client = useQueryClient();
  const { id: instanceId } = source;
  const id = source.deploy_id ?? '';
  return useMutation({
    mutationFn: () =>
      askOnce(`publish ${id} ${instanceId}`, (idempotencyKey) =>
        api.call(deployEndpoints.publish, { params: { id, instanceId }, idempotencyKey }),
      ),
    onSuccess: (started) => {
      toast.tell('deploy: started');
      if (started === undefined) return client.invalidateQueries({ queryKey: queryKeys.instances(id) });
      return showScheduled(client, id, localInstance(id, started, new Date(), source, 'APPROVAL'));
    },
    onError: (failure) => toast.tell('deploy: not published', { text: serverText(failure) }),
  });
}

/** Puts a run at the top of the list; a fetch of the list that is under way, and may not have it, is dropped. */
export async function showScheduled(
  client: QueryClient,
  deployId: string,
  run: DeployInstance,
): Promise<void> {
  await client.cancelQueries({ queryKey: queryKeys.instances(deployId), exact: true });
  client.setQueryData<DeployInstance[]>(queryKeys.instances(deployId), (list) => withInstance(list, run));
}

/** Saves the settings of a deploy. */
export function useUpdateDeploy(deploy: Deploy) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: DeploySettings) =>
      api.call(deployEndpoints.update, {
        params: { id: deploy.id },
        body: settingsPayload(deploy.type, settings),
      }),
    onSuccess: (_answer, settings) => {
      client.setQueryData<Deploy>(
        queryKeys.deploy(deploy.id),
        (shown) => shown && { ...shown, ...savedSettings(deploy.type, settings) },
      );
      void client.invalidateQueries({ queryKey: queryKeys.deploy(deploy.id), exact: true });
      void client.invalidateQueries({ queryKey: queryKeys.deploys });
    },
  });
}

type DeployUpdate = NonNullable<BodyInputOf<typeof deployEndpoints.update>>;

/** Settings besides those of `useUpdateDeploy`. */
type SavedAtOnce = Omit<DeployUpdate, 'name' | 'build_cmd' | 'publish_dir'>;

/** What the page of a deploy shows of settings that are saved. */
function shownOf({ variables, push_paused: paused, ...given }: SavedAtOnce): Partial<Deploy> {
  const others = {
    ...given,
    ...(given.repo_name !== undefined && { repository_deleted: false }),
    ...((paused !== undefined || given.on_push !== undefined) && {
      push_paused_at: paused === true ? new Date().toISOString() : null,
    }),
  };
  if (variables === undefined) return others;
  return {
    ...others,
    variables: variables.map(({ name, value = null, secret = false }) => ({
      name,
      value: secret ? null : value,
      secret,
    })),
  };
}

/** Saves settings of a deploy, and shows them at once; those that are not given stay as they are. */
export function useSaveSettings(deploy: Deploy) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settings: SavedAtOnce) =>
      api.call(deployEndpoints.update, { params: { id: deploy.id }, body: settings }),
    onSuccess: (_answer, settings) => {
      client.setQueryData<Deploy>(
        queryKeys.deploy(deploy.id),
        (shown) => shown && { ...shown, ...shownOf(settings) },
      );
      void client.invalidateQueries({ queryKey: queryKeys.deploy(deploy.id), exact: true });
    },
  });
}

/** Key of the call that deletes a deploy. */
export const deletionKey = (id: string) => ['deploy-deletion', id];

/** Deletes a deploy, with its canisters or without them, and takes it off the list. */
export function useDeleteDeploy(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: deletionKey(id),
    mutationFn: (canisters: CanisterFate) =>
      api.call(deployEndpoints.delete, { params: { id }, query: { canisters } }),
    onSuccess: () => {
      client.setQueryData<Deploy[]>(queryKeys.deploys, (list) => list?.filter((deploy) => deploy.id !== id));
      void client.invalidateQueries({ queryKey: queryKeys.deploys });
    },
    // A deletion that stops half-way has deleted canisters.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.deploy(id), exact: true }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.canisters });
    },
  });
}
