import { deployTypes, type DeployType } from '@cannery/contract';

/** A page of the embedded git host, as the service is asked to open it. */
export interface RepositoryPageName {
  readonly owner?: string;
  readonly repo?: string;
  readonly branch?: string;
  readonly deploy_type?: DeployType;
}

/** Where the console leads a visitor to bring repositories: the page of the own account. */
const CONNECT = ['git', 'connect'];

/** The page that an address names: /{owner}, /{owner}/{repo} or /{owner}/{repo}/tree/{branch}; undefined for others. */
export function repositoryPageName(location: {
  readonly pathname: string;
  readonly search: string;
}): RepositoryPageName | undefined {
  const segments = segmentsOf(location.pathname);
  if (segments === undefined) return undefined;
  const query = new URLSearchParams(location.search);
  if (segments.join('/') === CONNECT.join('/')) return withType({}, wantedType(query.get('state')));
  const [owner, repo, tree, ...branch] = segments;
  if (owner === undefined || segments.some((segment) => segment === '')) return undefined;
  const type = query.get('type');
  if (repo === undefined) return withType({ owner }, type);
  if (tree === undefined) return withType({ owner, repo }, type);
  if (tree !== 'tree' || branch.length === 0) return undefined;
  return withType({ owner, repo, branch: branch.join('/') }, type);
}

function segmentsOf(pathname: string): string[] | undefined {
  try {
    return pathname.replace(/^\//, '').replace(/\/$/, '').split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function withType(name: RepositoryPageName, type: unknown): RepositoryPageName {
  const known = deployTypes.find((one) => one === type);
  return known === undefined ? name : { ...name, deploy_type: known };
}

/** The deploy type in the `state` that the console hands over, when there is one. */
function wantedType(state: string | null): unknown {
  try {
    return (JSON.parse(state ?? '') as { deploy_type?: unknown } | null)?.deploy_type;
  } catch {
    return undefined;
  }
}
