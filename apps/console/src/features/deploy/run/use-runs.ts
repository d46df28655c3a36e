import { type Deploy, type DeployInstance, isFinished } from '@cannery/contract';
import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { activeInstances, isSameRun, withInstance } from '../api/instances.ts';
import { instanceQuery, instancesQuery } from '../api/queries.ts';

/** What a page does about the runs of its deploy. */
interface RunWatcher {
  /** A run has come that was not there when the page was opened, wherever it was started. */
  readonly onStarted: (run: DeployInstance) => void;
  /** A run that was seen under way has ended. */
  readonly onFinished: (run: DeployInstance) => void;
  /** A run has ended, seen or not: cycles have moved, and canisters may be new. */
  readonly onMoved: () => void;
}

/**
 * The runs of a deploy, newest first. Runs that are not over are fetched every two seconds and each answer is put in
 * the list; leaving the page ends the fetching. The deploy is fetched again whenever one has ended.
 */
export function useRuns(
  { id: deployId, deployInstance: told }: Deploy,
  { onStarted, onFinished, onMoved }: RunWatcher,
) {
  const client = useQueryClient();
  const list = useQuery(instancesQuery(deployId));
  const active = activeInstances(list.data);
  const polled = useQueries({ queries: active.map(({ id }) => instanceQuery(deployId, id)) });
  const answers = polled.flatMap(({ data }) => (data ? [data] : []));
  const refreshedFor = useRef(new Set<string>());

  const refresh = (run: string): void => {
    if (refreshedFor.current.has(run)) return;
    refreshedFor.current.add(run);
    void client.invalidateQueries({ queryKey: queryKeys.deploy(deployId), exact: true });
    void client.invalidateQueries({ queryKey: queryKeys.deploys });
    onMoved();
  };

  useEffect(() => {
    for (const answer of answers) {
      const known = client
        .getQueryData<DeployInstance[]>(queryKeys.instances(deployId))
        ?.find(({ id }) => id === answer.id);
      if (!known || isSameRun(known, answer)) continue;
      client.setQueryData<DeployInstance[]>(queryKeys.instances(deployId), (runs) =>
        withInstance(runs, answer),
      );
    }
  });

  // A poll may bring the end of a run, or the list, when it is fetched again because something has changed.
  const seen = useRef<Map<string, boolean>>(undefined);
  const ended = useRef(new Set<string>());
  useEffect(() => {
    if (list.data === undefined) return;
    const before = seen.current;
    seen.current = new Map(list.data.map(({ id, status }) => [id, isFinished(status)]));
    if (before === undefined) return;
    for (const run of list.data) {
      const wasFinished = before.get(run.id);
      if (wasFinished === undefined && !isFinished(run.status)) onStarted(run);
      if (wasFinished !== false || !isFinished(run.status) || ended.current.has(run.id)) continue;
      ended.current.add(run.id);
      askForTheEnd(client, deployId, run.id);
      refresh(run.id);
      onFinished(run);
    }
  });

  const [latest] = list.data ?? [];
  // A push may start a run that has ended before the list is fetched: then the deploy is of the time before it.
  const isNews =
    latest !== undefined && isFinished(latest.status) && !(told?.id === latest.id && isFinished(told.status));
  useEffect(() => {
    if (isNews) refresh(latest.id);
  });

  return { ...list, runs: list.data, polling: active.length > 0 };
}

/** Asks for a run whose end the list has brought before a poll has. */
function askForTheEnd(client: QueryClient, deployId: string, id: string): void {
  const queryKey = queryKeys.instance(deployId, id);
  const polled = client.getQueryData<DeployInstance>(queryKey);
  if (polled !== undefined && !isFinished(polled.status))
    void client.invalidateQueries({ queryKey, exact: true });
}

/** One run with its log; nothing is fetched while `wanted` is false. */
export function useRunLog(run: DeployInstance, wanted: boolean): DeployInstance {
  const { data } = useQuery({
    ...instanceQuery(run.deploy_id ?? '', run.id),
    enabled: wanted && run.id !== '',
  });
  if (data === undefined) return run;
  // The list may know of the end before a poll does.
  return isFinished(run.status) && !isFinished(data.status) ? { ...run, logs: data.logs } : data;
}
