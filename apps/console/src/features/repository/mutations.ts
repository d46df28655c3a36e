import { repositoryEndpoints } from '@cannery/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';

/** Makes a repository of the user from a starter template. */
export function useAddTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call(repositoryEndpoints.addTemplate, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.repositories }),
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
