import { type DeployInstance, runEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { serverText } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { askOnce } from '../../../lib/api/ask-once.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { toast } from '../../../lib/toasts/toast-store.ts';
import { localInstance } from './instances.ts';
import { showScheduled } from './mutations.ts';
import { instanceQuery } from './queries.ts';

/**
 * Builds the commit of a run again and puts the new run, as SCHEDULED, at the top of the list.
 * @param onStarted what the page does then, with the id of the new run
 */
export function useRedeploy(rebuilt: DeployInstance, onStarted: (id: string) => void) {
  const client = useQueryClient();
  const { id: instanceId } = rebuilt;
  const id = rebuilt.deploy_id ?? '';
  return useMutation({
    mutationFn: () =>
      askOnce(`redeploy ${id} ${instanceId}`, (idempotencyKey) =>
        api.call(runEndpoints.redeploy, { params: { id, instanceId }, idempotencyKey }),
      ),
    onSuccess: async (started) => {
      toast.tell('deploy: started');
      if (started === undefined) return client.invalidateQueries({ queryKey: queryKeys.instances(id) });
      const local = localInstance(id, started, new Date(), rebuilt, 'REDEPLOY');
      await showScheduled(client, id, { ...local, rollback_of: null });
      onStarted(started);
    },
    onError: (failure) => toast.tell('deploy: not started', { hint: serverText(failure) }),
  });
}

/**
 * Takes a rollback back: the service cancels it, or puts back what was live before by another run.
 * @param onStarted what the page does with the id of that run
 */
export function useUndoRollback(run: DeployInstance, onStarted: (id: string) => void) {
  const client = useQueryClient();
  const { id: instanceId } = run;
  const id = run.deploy_id ?? '';
  return useMutation({
    mutationFn: () =>
      askOnce(`undo ${id} ${instanceId}`, (idempotencyKey) =>
        api.call(runEndpoints.undo, { params: { id, instanceId }, idempotencyKey }),
      ),
    onSuccess: async (started) => {
      toast.tell('deploy: rollback being undone');
      void client.invalidateQueries({ queryKey: queryKeys.instance(id, instanceId), exact: true });
      if (started === undefined || started === instanceId) return;
      await showScheduled(client, id, await client.fetchQuery(instanceQuery(id, started)));
      onStarted(started);
    },
    onError: (failure) => toast.tell('deploy: rollback not undone', { text: serverText(failure) }),
  });
}

/** Files in which a run differs from what is live. @param liveId the run that is live: another one is another question */
export function comparisonQuery(run: DeployInstance, liveId: string) {
  const { id: instanceId } = run;
  const id = run.deploy_id ?? '';
  return queryOptions({
    queryKey: queryKeys.runComparison(id, instanceId, liveId),
    queryFn: ({ signal }) => api.call(runEndpoints.compare, { params: { id, instanceId }, signal }),
    retry: false,
  });
}
