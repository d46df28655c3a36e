import {
  type RepositoryAccount,
  type RepositoryCode,
  type RepositoryContent,
  type RepositoryUses,
  repositoryEndpoints,
} from '@cannery/contract';
import { notFound, redirect } from '@tanstack/react-router';
import { routeTable } from '../../config/route-table.ts';
import { UNKNOWN_REPOSITORY } from '../../config/unknown.ts';
import { api } from '../../lib/api/api.ts';
import { isMissing } from '../../lib/api/api-error.ts';
import { queryKeys } from '../../lib/shared/query-keys.ts';
import { deployTypeIn } from './github-connection.ts';

/** First parts of the console's own addresses, which are no accounts. */
const OWN_FOLDERS: readonly string[] = routeTable.map(({ path }) => path.split('/')[1] ?? '');

/** What a page shows, or the page that says that there is none. @param owner that of a repository, in its address */
async function found<T>(loading: Promise<T>, owner?: string): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    if (!isMissing(error)) throw error;
    const isRepository = owner !== undefined && !OWN_FOLDERS.includes(owner);
    throw notFound(isRepository ? { data: UNKNOWN_REPOSITORY } : {});
  }
}

export function loadAccount({ owner }: { owner: string }): Promise<RepositoryAccount> {
  return found(api.call(repositoryEndpoints.account, { query: { owner } }));
}

/** The account of a page that is open: a push may bring a repository. */
export function accountQuery(owner: string) {
  return {
    queryKey: [...queryKeys.repositoryAccount, 'page', owner],
    queryFn: () => loadAccount({ owner }),
  };
}

/** What uses a repository of the user; undefined where that cannot be told, which keeps no page from showing. */
function loadUses(params: { owner: string; repo: string }): Promise<RepositoryUses | undefined> {
  return api.call(repositoryEndpoints.uses, { params }).catch(() => undefined);
}

/** The page with what uses the repository, so that nothing moves when that comes. @param asked.branch the default branch when absent */
export async function loadRepository({
  branch,
  ...params
}: {
  owner: string;
  repo: string;
  branch?: string | undefined;
}): Promise<RepositoryContent & { readonly uses: RepositoryUses | undefined }> {
  // The address that git uses leads to the page as well.
  const repo = params.repo.replace(/\.git$/, '');
  if (repo !== params.repo && branch === undefined)
    throw redirect({ to: '/$owner/$repo', params: { ...params, repo }, replace: true });
  const query = branch === undefined ? {} : { branch };
  const [content, uses] = await Promise.all([
    found(api.call(repositoryEndpoints.content, { params, query }), params.owner),
    loadUses(params),
  ]);
  return { ...content, uses };
}

/** The content of a page of a repository that is open: a push changes it. @param branch as the address has it */
export function contentQuery({ owner, name }: { owner: string; name: string }, branch: string | undefined) {
  return {
    queryKey: [...queryKeys.repositoryContent, owner, name, branch ?? null],
    queryFn: () => loadRepository({ owner, repo: name, branch }),
  };
}

/** @param asked.path empty for the whole commit, which comes with what uses the repository */
export async function loadCode({
  commit,
  path,
  owner,
  repo,
}: {
  owner: string;
  repo: string;
  commit: string;
  path: string;
}): Promise<RepositoryCode & { readonly uses: RepositoryUses | undefined }> {
  const query = { commit, path: path.replace(/\/$/, '') };
  const params = { owner, repo };
  const [code, uses] = await Promise.all([
    found(api.call(repositoryEndpoints.code, { params, query }), owner),
    query.path === '' ? loadUses(params) : undefined,
  ]);
  return { ...code, uses };
}

/** The page of the own account, with the deploy type that the visitor came with. */
export async function connectTarget(state: string | undefined) {
  const { owner } = await api.call(repositoryEndpoints.account, { query: {} });
  return { to: '/$owner', params: { owner }, search: { type: deployTypeIn(state) } } as const;
}
