import { readRepositoryAddress, type Deploy, type PublicConfig } from '@cannery/contract';
import { fillPattern } from './fill-pattern.ts';
import { shown } from './formats.ts';

/** How a repository is called and where its pages are. */
export interface RepositoryLinks {
  /** Its host, where that is not the provider's. */
  readonly host: string | undefined;
  /** 'owner/name'. */
  readonly name: string;
  readonly page: string | undefined;
  readonly tree: string | undefined;
}

/** What follows a repository's address on the page of a branch, by host; on others the repository's page must do. */
const treePaths: ReadonlyMap<string, string> = new Map([
  ['github.com', '/tree/'],
  ['gitlab.com', '/-/tree/'],
  ['bitbucket.org', '/src/'],
  ['codeberg.org', '/src/branch/'],
]);

/** A branch as part of an address: its slashes stay, as these hosts want them. */
function branchPath(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/');
}

/** What follows a repository's address on the page of a commit, by host. */
const commitPaths: ReadonlyMap<string, string> = new Map([
  ['github.com', '/commit/'],
  ['gitlab.com', '/-/commit/'],
  ['bitbucket.org', '/commits/'],
  ['codeberg.org', '/commit/'],
]);

/** The page of a commit at a host that keeps a deploy's repository, other than the one that ships with the product. */
export function outsideCommit(
  deploy: Pick<Deploy, 'url' | 'github_repo_owner' | 'repo_name' | 'branch'>,
  config: PublicConfig | undefined,
  commit: string,
): string | undefined {
  const { host, page } = repositoryLinks(deploy, config);
  // Without a host of its own it is the provider's, which is GitHub where it is not the embedded one.
  const path = host === undefined ? '/commit/' : commitPaths.get(host);
  const isEmbedded = host === undefined && config?.git_provider.embedded !== false;
  return page === undefined || path === undefined || isEmbedded
    ? undefined
    : `${page}${path}${encodeURIComponent(commit)}`;
}

/** What follows a repository's address on the page that compares two commits, by host; other hosts have none that is known. */
const comparePaths: ReadonlyMap<string, string> = new Map([
  ['github.com', '/compare/'],
  ['gitlab.com', '/-/compare/'],
  ['codeberg.org', '/compare/'],
]);

/**
 * The page of a git host on which two commits are compared; undefined where the host has none that is known.
 * @param page the repository's page
 * @param commits their whole ids, the older one first
 */
export function compareAddress(
  page: string | undefined,
  [older, newer]: readonly [string, string],
): string | undefined {
  if (page === undefined || !URL.canParse(page)) return undefined;
  const { protocol, host } = new URL(page);
  const path = comparePaths.get(host);
  if (protocol !== 'https:' || path === undefined) return undefined;
  return `${page}${path}${encodeURIComponent(older)}...${encodeURIComponent(newer)}`;
}

/** Links to a deploy's repository and branch at the host that keeps it. */
export function repositoryLinks(
  deploy: Pick<Deploy, 'url' | 'github_repo_owner' | 'repo_name' | 'branch'>,
  config: PublicConfig | undefined,
): RepositoryLinks {
  const { github_repo_owner: owner, repo_name: repo, branch } = deploy;
  // Whatever answered: only an https address may become a link.
  const outside = deploy.url ? readRepositoryAddress(deploy.url) : undefined;
  if (outside && !('fault' in outside)) {
    const { host, url } = outside;
    const path = treePaths.get(host);
    return {
      host,
      name: `${outside.owner}/${outside.name}`,
      page: url,
      tree: path === undefined ? url : `${url}${path}${branchPath(branch ?? '')}`,
    };
  }
  const provider = config?.git_provider;
  const place = { owner: owner ?? '', repo: repo ?? '', branch: branch ?? '' };
  const linked = provider && owner && repo ? provider : undefined;
  return {
    host: undefined,
    name: `${shown(owner)}/${shown(repo)}`,
    page: linked && fillPattern(linked.repository_url_pattern, place),
    tree: linked && branch ? fillPattern(linked.tree_url_pattern, place) : undefined,
  };
}
