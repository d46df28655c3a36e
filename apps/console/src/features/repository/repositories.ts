import { type AnswerOf, type Repository, repositoryEndpoints } from '@cannery/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { useIsTakenAway } from '../../lib/live/thing-of-page.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

type RepositoryRead = AnswerOf<typeof repositoryEndpoints.list>[number];

/** A repository as it was answered, with '' for what the answer leaves out. */
function repositoryOf({ owner, name, url, ...rest }: RepositoryRead): Repository {
  return { ...rest, name: name ?? '', url: url ?? '', owner: { login: owner?.login ?? '' } };
}

/** How often the list of repositories is read while it is looked at, in milliseconds: a push shows soon. */
const REFRESH_MS = 5_000;

export const repositoriesQuery = queryOptions({
  queryKey: queryKeys.repositories,
  queryFn: async ({ signal }) => (await api.call(repositoryEndpoints.list, { signal })).map(repositoryOf),
  refetchInterval: REFRESH_MS,
});

/** How long branches at another host count as known, in milliseconds: from the look-up to the form behind it. */
const OUTSIDE_FRESH_MS = 60_000;

export interface BranchesOf {
  readonly owner: string;
  readonly repo: string;
  readonly isPublic: boolean;
  /** Address of a public repository of another host than the provider's. */
  readonly url: string | undefined;
}

/** Branches of a repository, its default branch first. */
export function branchesQuery({ owner, repo, isPublic, url }: BranchesOf) {
  const body = { repo, owner, is_public: isPublic, ...(url !== undefined && { url }) };
  return queryOptions({
    queryKey: queryKeys.branches(owner, repo, isPublic, url),
    queryFn: async ({ signal }) => {
      const branches = await api.call(repositoryEndpoints.branches, { body, signal });
      return branches.flatMap(({ name }) => (name ? [{ name }] : []));
    },
    ...(url !== undefined && { staleTime: OUTSIDE_FRESH_MS }),
  });
}

export const templatesQuery = queryOptions({
  queryKey: queryKeys.templates,
  queryFn: ({ signal }) => api.call(repositoryEndpoints.templates, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const gitTokensQuery = queryOptions({
  queryKey: queryKeys.gitTokens,
  queryFn: ({ signal }) => api.call(repositoryEndpoints.tokens, { signal }),
});

/** The user's own account at the git host of the console, with its repositories. */
export const ownAccountQuery = queryOptions({
  queryKey: [...queryKeys.repositoryAccount, 'own'],
  queryFn: ({ signal }) => api.call(repositoryEndpoints.account, { query: {}, signal }),
});

/** What uses one of the user's own repositories. */
export function repositoryUsesQuery(params: { readonly owner: string; readonly repo: string }) {
  return queryOptions({
    queryKey: queryKeys.repositoryUses(params.owner, params.repo),
    queryFn: ({ signal }) => api.call(repositoryEndpoints.uses, { params, signal }),
    // Asked for when a repository is about to go.
    staleTime: 0,
  });
}

/** Key of the calls after which a repository is not at its address any more. */
const removalKey = ['repository-removal'];

/** Whether this page takes a repository away from its address, or has done so. */
export function useIsRemovedHere({ owner, name }: { owner: string; name: string }): boolean {
  return useIsTakenAway(removalKey, (variables) => {
    const of = variables as { readonly owner: string; readonly repo: string } | undefined;
    return of?.owner === owner && of.repo === name;
  });
}

/** Gives one of the user's own repositories another name; its deploys go with it. */
export function useRenameRepository() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: removalKey,
    mutationFn: ({ owner, repo, name }: { owner: string; repo: string; name: string }) =>
      api.call(repositoryEndpoints.rename, { params: { owner, repo }, body: { new_name: name } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.repositories });
      await client.invalidateQueries({ queryKey: queryKeys.deploys });
    },
  });
}

/** Makes another branch of one of the user's own repositories its default one. */
export function useSetDefaultBranch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ owner, repo, branch }: { owner: string; repo: string; branch: string }) =>
      api.call(repositoryEndpoints.setDefaultBranch, {
        params: { owner, repo },
        body: { default_branch: branch },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.repositories });
      await client.invalidateQueries({ queryKey: queryKeys.allBranches });
    },
  });
}

/** Deletes one of the user's own repositories. */
export function useDeleteRepository() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: removalKey,
    mutationFn: (params: { owner: string; repo: string }) => api.call(repositoryEndpoints.remove, { params }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: queryKeys.repositories });
      await client.invalidateQueries({ queryKey: queryKeys.deploys });
    },
  });
}

/** Creates an access token for git; its secret is in this answer only. */
export function useCreateGitToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (label: string) => api.call(repositoryEndpoints.createToken, { body: { label } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.gitTokens }),
  });
}

export function useRevokeGitToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call(repositoryEndpoints.revokeToken, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.gitTokens }),
  });
}
