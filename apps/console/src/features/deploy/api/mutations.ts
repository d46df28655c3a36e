import {
  type BodyInputOf,
  type BreakingChoice,
  type CanisterFate,
  deployEndpoints,
  deployTimers,
  type CreateDeployForm,
  type Deploy,
  type DeployInstance,
  type DeployType,
  type GivenVariable,
  type HealthCall,
  type InstallArgumentText,
  type SnapshotChoice,
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
 * Creates a deploy, waits four seconds, triggers its first run and answers its id. After a failed trigger the
 * created id is kept, so that the next attempt triggers only.
 */
export function useCreateDeploy(draft: DeployDraft, deployType: DeployType, outsideUrl?: string) {
  const client = useQueryClient();
  const created = useRef<string>(undefined);
  return useMutation({
    mutationFn: async ({
      form,
      starting,
    }: {
      form: CreateDeployForm;
      starting: readonly StartingCycles[];
    }): Promise<string> => {
      if (created.current === undefined) {
        const body = createPayload(draft, deployType, form, outsideUrl, starting);
        const id = await api.call(deployEndpoints.create, { body });
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

/** Starts a rollback to a run and puts it, as SCHEDULED, at the top of the list. */
export function useRollBack(source: DeployInstance) {
  const client = useQueryClient();
  const { id: instanceId } = source;
  const id = source.deploy_id ?? '';
  return useMutation({
    mutationFn: () =>
      askOnce(`roll back ${id} ${instanceId}`, (idempotencyKey) =>
        api.call(deployEndpoints.rollback, { params: { id, instanceId }, idempotencyKey }),
      ),
    onSuccess: (started) => {
      toast.tell('deploy: rollback started');
      if (started === undefined) return client.invalidateQueries({ queryKey: queryKeys.instances(id) });
      return showScheduled(client, id, localInstance(id, started, new Date(), source));
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
async function showScheduled(client: QueryClient, deployId: string, run: DeployInstance): Promise<void> {
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

/** Saves settings of a deploy, and shows them at once. @param shownOf what the deploy's page shows of them */
function useSaveSettings<Given>(
  deploy: Deploy,
  bodyOf: (given: Given) => DeployUpdate,
  shownOf: (given: Given) => Partial<Deploy>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) =>
      api.call(deployEndpoints.update, { params: { id: deploy.id }, body: bodyOf(given) }),
    onSuccess: (_answer, given) => {
      client.setQueryData<Deploy>(
        queryKeys.deploy(deploy.id),
        (shown) => shown && { ...shown, ...shownOf(given) },
      );
      void client.invalidateQueries({ queryKey: queryKeys.deploy(deploy.id), exact: true });
    },
  });
}

/** Saves the install arguments of a deploy's canisters; those left out are taken away. */
export function useSaveArguments(deploy: Deploy) {
  const of = (install_arguments: InstallArgumentText[]) => ({ install_arguments });
  return useSaveSettings(deploy, of, of);
}

/** What the builds of a deploy are told. */
interface BuildSettings {
  readonly root_directory: string;
  /** All of them; absent where builds run no commands. */
  readonly variables?: GivenVariable[];
}

/** Saves where a deploy's project lies and the variables of its builds; those left out are taken away. */
export function useSaveBuildSettings(deploy: Deploy) {
  return useSaveSettings(
    deploy,
    (given: BuildSettings) => given,
    ({ root_directory, variables = [] }) => ({
      root_directory,
      variables: variables.map(({ name, value = null, secret = false }) => ({
        name,
        value: secret ? null : value,
        secret,
      })),
    }),
  );
}

/** Saves whether a push of its branch starts a run of a deploy. */
export function useDeployOnPush(deploy: Deploy) {
  const of = (on_push: boolean) => ({ on_push });
  return useSaveSettings(deploy, of, of);
}

/** Deletes a deploy, with its canisters or without them, and takes it off the list. */
export function useDeleteDeploy(id: string) {
  const client = useQueryClient();
  return useMutation({
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

/** Saves what a run of a deploy does whose code would break callers of a canister. */
export function useBreakingChanges(deploy: Deploy) {
  const of = (breaking_changes: BreakingChoice) => ({ breaking_changes });
  return useSaveSettings(deploy, of, of);
}

/** Saves whether runs of a deploy take a snapshot before an upgrade. */
export function useSnapshotChoice(deploy: Deploy) {
  const of = (snapshots: SnapshotChoice) => ({ snapshots });
  return useSaveSettings(deploy, of, of);
}

/** Saves the call that a run of a deploy makes when everything is published. */
export function useSaveHealthCall(deploy: Deploy) {
  const of = (health_call: HealthCall | null) => ({ health_call });
  return useSaveSettings(deploy, of, of);
}

/** Saves what new canisters of a deploy start with; those left out start with the usual amount. */
export function useSaveStartingCycles(deploy: Deploy) {
  const of = (starting_cycles: StartingCycles[]) => ({ starting_cycles });
  return useSaveSettings(deploy, of, of);
}
