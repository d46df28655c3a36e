import {
  type BodyInputOf,
  deployEndpoints,
  deployTimers,
  isFinished,
  planEndpoints,
  repositoryEndpoints,
} from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { deploysQuery } from '../../../lib/shared/deploys.ts';
import { queryKeys } from '../../../lib/shared/query-keys.ts';
import { streamBringsLog } from '../log/log-feed.ts';

/** The list as the canisters page keeps it: fetched again every five seconds while the page is open. */
export const liveDeploysQuery = queryOptions({
  ...deploysQuery,
  refetchInterval: deployTimers.refreshLists,
});

export function deployQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.deploy(id),
    queryFn: async ({ signal }) => {
      const deploy = await api.call(deployEndpoints.one, { params: { id }, signal });
      return { ...deploy, id: deploy.id || id };
    },
  });
}

/** The user's repositories at the git host of the console, newest change first. */
export const ownRepositoriesQuery = queryOptions({
  queryKey: queryKeys.repositoryAccount,
  queryFn: async ({ signal }) =>
    (await api.call(repositoryEndpoints.account, { query: {}, signal })).repositories ?? [],
  // A push brings one.
  refetchInterval: deployTimers.refreshLists,
});

export function instancesQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.instances(id),
    queryFn: async ({ signal }) => {
      const runs = await api.call(deployEndpoints.instances, { params: { id }, signal });
      return runs.map((run) => ({ ...run, deploy_id: id }));
    },
  });
}

/** One run with its log; fetched every two seconds until it is over, a failing fetch included. */
export function instanceQuery(id: string, instanceId: string) {
  return queryOptions({
    queryKey: queryKeys.instance(id, instanceId),
    queryFn: async ({ signal }) => {
      const minimal = await streamBringsLog(instanceId);
      const run = await api.call(deployEndpoints.instance, { params: { id, instanceId }, signal, minimal });
      return { ...run, id: instanceId, deploy_id: id };
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && isFinished(state.data.status) ? false : deployTimers.pollInstance,
    staleTime: ({ state }) =>
      state.data !== undefined && isFinished(state.data.status) ? Number.POSITIVE_INFINITY : 0,
    retry: false,
  });
}

/** What a branch is recognised as; a service that cannot tell is asked once. */
export function detectedSiteQuery(body: NonNullable<BodyInputOf<typeof deployEndpoints.detect>>) {
  return queryOptions({
    queryKey: queryKeys.detectedSite(body),
    queryFn: ({ signal }) => api.call(deployEndpoints.detect, { body, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** What a deploy of a branch would create; a service that cannot tell is asked once. */
export function draftPlanQuery(body: NonNullable<BodyInputOf<typeof planEndpoints.draft>>) {
  return queryOptions({
    queryKey: queryKeys.draftPlan(body),
    queryFn: ({ signal }) => api.call(planEndpoints.draft, { body, signal }),
    retry: false,
  });
}

/** What the next run of a deploy would create. @param lastRun changes when another run has ended */
export function deployPlanQuery(id: string, lastRun: string) {
  return queryOptions({
    queryKey: queryKeys.deployPlan(id, lastRun),
    queryFn: ({ signal }) => api.call(planEndpoints.ofDeploy, { params: { id }, signal }),
    retry: false,
  });
}
