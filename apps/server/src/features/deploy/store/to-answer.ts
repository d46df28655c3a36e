import { CYCLES_PER_T, type DeployAnswer, type DeployInstanceAnswer } from '@cannery/contract';
import type { ArtifactPart } from '../../../db/tables/deploy-tables.ts';
import type { RunRow } from './run-store.ts';
import type { DeployCanister, DeployRow } from './store.ts';

/** Seconds with one decimal. */
function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds / 100) / 10;
}

/** A run as the API answers it, without its log. */
export function instanceAnswer(
  row: RunRow,
  {
    kept,
    awaitsApproval = false,
  }: { kept?: readonly ArtifactPart[] | undefined; awaitsApproval?: boolean } = {},
): DeployInstanceAnswer {
  return {
    id: row.id,
    status: row.status,
    deploy_id: row.deploy_id,
    trigger_by: row.trigger_by,
    commit_id: row.commit_id,
    commit_sha: row.commit_sha,
    commit_message: row.commit_message,
    commit_author: row.commit_author,
    tag: row.tag,
    duration: seconds(row.duration_ms),
    logs: null,
    created_at: row.created_at.toISOString(),
    waiting: null,
    rollback_of: row.source_id,
    chosen_canisters: row.chosen_canisters === null ? null : [...row.chosen_canisters],
    artifacts: kept === undefined ? null : [...kept],
    awaits_approval: awaitsApproval,
    left_out: row.left_out,
    warnings: null,
  };
}

/** What belongs to a deploy besides its row. */
export interface DeployParts {
  readonly latest?: RunRow | undefined;
  /** Whether the latest run can be published though it was refused. */
  readonly awaitsApproval?: boolean | undefined;
  readonly canisters?: readonly DeployCanister[] | undefined;
  readonly variables?: DeployAnswer['variables'] | undefined;
  readonly siteName?: string | undefined;
  /** Address of the picture of a canister's website that shows a run. */
  readonly pictureAddress?: (canisterId: string, instanceId: string) => string;
}

/** A deploy as the API answers it; its status is that of its latest run. */
export function deployAnswer(
  row: DeployRow,
  { latest, awaitsApproval, canisters = [], variables = [], siteName, pictureAddress }: DeployParts = {},
): DeployAnswer {
  const { settings } = row;
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: latest?.status ?? null,
    repo_name: row.repo_name,
    repository_deleted: row.repository_deleted,
    github_repo_owner: row.repo_owner,
    branch: row.branch,
    is_public: row.is_public,
    url: row.repo_url,
    site_name: siteName ?? null,
    ...settings,
    deploy_without: [...settings.deploy_without],
    watch_paths: [...settings.watch_paths],
    snapshots: row.type === 'STATIC_SITE' ? 'off' : settings.snapshots,
    duration: seconds(latest?.duration_ms ?? null),
    created_at: row.created_at.toISOString(),
    canisters: canisters.map(({ canisterId }) => canisterId),
    parts: canisters.map(({ canisterId, name, kind, servesHttp, pictureOf }) => ({
      canister_id: canisterId,
      name,
      kind,
      serves_http: servesHttp,
      picture: (pictureOf !== null && pictureAddress?.(canisterId, pictureOf)) || null,
    })),
    install_arguments: Object.entries(settings.install_arguments).map(([canister, argument]) => ({
      canister,
      argument,
    })),
    starting_cycles: Object.entries(settings.starting_cycles).map(([canister, cycles]) => ({
      canister,
      // Two decimals, as they were given.
      amount: Number(BigInt(cycles) / (CYCLES_PER_T / 100n)) / 100,
    })),
    variables,
    live_run: row.live_run_id,
    deployInstance: latest === undefined ? null : instanceAnswer(latest, { awaitsApproval }),
  };
}
