import {
  type Deploy,
  type DeployInstance,
  type DeployType,
  deployTypes,
  foldText,
  isFinished,
  type PublicConfig,
  searchWords,
} from '@cannery/contract';
import type { AddressFields } from '../../../lib/table/address-fields.ts';
import { dateValue } from '../../../lib/table/sort.ts';
import { siteAddress } from '../../../lib/text/site-address.ts';
import { namedSite } from '../api/site-address.ts';

type ListedRun = Pick<DeployInstance, 'status' | 'commit_id' | 'commit_message' | 'created_at'>;

/** What the list is narrowed and ordered by. */
type ListedDeploy = Pick<
  Deploy,
  | 'name'
  | 'type'
  | 'status'
  | 'repo_name'
  | 'github_repo_owner'
  | 'branch'
  | 'site_name'
  | 'canisters'
  | 'created_at'
> & { readonly deployInstance: ListedRun | null };

/** What the last run of a deploy came to; 'new' before there was one. */
export const dappStates = ['live', 'running', 'failed', 'new'] as const;
export type DappState = (typeof dappStates)[number];

export function dappState({
  deployInstance: run,
  status: listed,
}: Pick<ListedDeploy, 'deployInstance' | 'status'>): DappState {
  const status = run?.status ?? listed;
  if (!status) return 'new';
  if (status === 'FAILED') return 'failed';
  return isFinished(status) ? 'live' : 'running';
}

/** Which deploys the list shows. */
export interface DappsFilter {
  readonly search: string;
  readonly state: DappState | undefined;
  readonly type: DeployType | undefined;
}

export const filterFields = ['q', 'state', 'type'] as const;

/** Reads a filter from the fields of an address; what makes no sense is left out. */
export function readFilter({ q, state, type }: AddressFields): DappsFilter {
  return {
    search: q ?? '',
    state: dappStates.find((one) => one === state),
    type: deployTypes.find((one) => one === type),
  };
}

function searchedText(deploy: ListedDeploy): string {
  const {
    name,
    repo_name: repo,
    github_repo_owner: owner,
    branch,
    site_name,
    canisters,
    deployInstance,
  } = deploy;
  const run = [deployInstance?.commit_id, deployInstance?.commit_message];
  return [name, `${owner}/${repo}`, branch, site_name, ...run, ...canisters].join('\n');
}

/** Deploys whose name, repository, branch, commit or canister has every word of the search, what ran last first. */
export function filterDapps<Row extends ListedDeploy>(
  deploys: readonly Row[],
  { search, state, type }: DappsFilter,
): readonly Row[] {
  const words = searchWords(search);
  const has = (deploy: Row): boolean => {
    const text = foldText(searchedText(deploy));
    return words.every((word) => text.includes(word));
  };
  const moment = ({ deployInstance, created_at: at }: Row): number =>
    dateValue(deployInstance?.created_at ?? at) ?? 0;
  return deploys
    .filter((deploy) => state === undefined || dappState(deploy) === state)
    .filter((deploy) => type === undefined || deploy.type === type)
    .filter(has)
    .toSorted((a, b) => moment(b) - moment(a));
}

/** Where a deploy is open to everybody: its website by its name, or else by the ID of its canister. Undefined for one without a website. */
export function dappSite(
  deploy: Pick<Deploy, 'type' | 'site_name' | 'canisters' | 'parts'>,
  config: Pick<PublicConfig, 'canister_url_pattern' | 'site_name_pattern'> | undefined,
): { readonly url: string; readonly picture: string | null } | undefined {
  const { type, canisters, parts } = deploy;
  const named = namedSite(deploy, config);
  const served = parts.find(({ kind, serves_http: serves }) => kind === 'site' || serves === true);
  const id = named?.canisterId ?? served?.canister_id ?? (type === 'STATIC_SITE' ? canisters[0] : undefined);
  if (!id) return undefined;
  const url = named?.address ?? siteAddress(config, id);
  if (url === undefined) return undefined;
  return { url, picture: parts.find(({ canister_id: of }) => of === id)?.picture ?? null };
}
