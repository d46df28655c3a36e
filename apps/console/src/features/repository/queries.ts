import { repositoryEndpoints } from '@cannery/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { queryKeys } from '../../lib/query-keys.ts';

export const repositoriesQuery = queryOptions({
  queryKey: queryKeys.repositories,
  queryFn: ({ signal }) => api.call(repositoryEndpoints.list, { signal }),
});

/** Branches of a repository, its default branch first. */
export function branchesQuery(owner: string, repo: string, isPublic: boolean) {
  return queryOptions({
    queryKey: queryKeys.branches(owner, repo, isPublic),
    queryFn: ({ signal }) =>
      api.call(repositoryEndpoints.branches, { body: { repo, owner, is_public: isPublic }, signal }),
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
