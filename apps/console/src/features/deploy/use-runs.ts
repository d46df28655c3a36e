import { isFinished, type DeployInstance } from '@cannery/contract';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../lib/query-keys.ts';
import { activeInstances, isSameRun, withInstance } from './instances.ts';
import { instanceQuery, instancesQuery } from './queries.ts';

/**
 * The runs of a deploy, newest first. Runs that are not over are fetched every two seconds, each answer is put in
 * the list, and `onFinished` is told of every one that ends; leaving the page ends the fetching.
 */
export function useRuns(deployId: string, onFinished: (run: DeployInstance) => void) {
  const client = useQueryClient();
  const list = useQuery(instancesQuery(deployId));
  const active = activeInstances(list.data);
  const polled = useQueries({ queries: active.map(({ id }) => instanceQuery(deployId, id)) });
  const answers = polled.flatMap(({ data }) => (data ? [data] : []));

  useEffect(() => {
    for (const answer of answers) {
      const known = client
        .getQueryData<DeployInstance[]>(queryKeys.instances(deployId))
        ?.find(({ id }) => id === answer.id);
      if (!known || isSameRun(known, answer)) continue;
      client.setQueryData<DeployInstance[]>(queryKeys.instances(deployId), (runs) =>
        withInstance(runs, answer),
      );
      if (isFinished(answer.status) && !isFinished(known.status)) {
        void client.invalidateQueries({ queryKey: queryKeys.deploy(deployId), exact: true });
        void client.invalidateQueries({ queryKey: queryKeys.deploys });
        onFinished(answer);
      }
    }
  });

  return { ...list, runs: list.data, polling: active.length > 0 };
}

/** One run with its log; nothing is fetched while `wanted` is false. */
export function useRunLog(run: DeployInstance, wanted: boolean): DeployInstance {
  const { data } = useQuery({
    ...instanceQuery(run.deploy_id ?? '', run.id),
    enabled: wanted && run.id !== '',
  });
  return data ?? run;
}
