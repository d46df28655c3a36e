import {
  isFinished,
  type Deploy,
  type DeployInstance,
  leftOutText,
  type PublicConfig,
} from '@cannery/contract';
import { NOT_AVAILABLE } from '../../../lib/text/formats.ts';

/** A deploy as a row of the DApps table: the latest run gives status and duration, the deploy everything else. */
export interface DeployRow {
  readonly id: string;
  readonly name: string | null;
  readonly type: string | null;
  readonly repo_name: string | null;
  readonly branch: string | null;
  readonly created_at: string | null;
  readonly status: string | null;
  readonly duration: number | null;
}

/** Merges the nested latest run into a row. */
export function deployRow({ deployInstance: latest, ...deploy }: Deploy): DeployRow {
  const { id, name, type, repo_name, branch, created_at } = deploy;
  const status = latest?.status ?? deploy.status;
  const duration = latest?.duration ?? deploy.duration;
  return { id, name, type, repo_name, branch, created_at, status, duration };
}

/**
 * The run that is in the list from the answer to its trigger until the service tells more.
 * @param source the run whose result it publishes
 */
export function localInstance(
  deployId: string,
  instanceId: string,
  now: Date,
  source?: DeployInstance,
  triggerBy = source === undefined ? 'MANUAL' : 'ROLLBACK',
): DeployInstance {
  return {
    id: instanceId,
    status: 'SCHEDULED',
    deploy_id: deployId,
    trigger_by: triggerBy,
    commit_id: source?.commit_id ?? '',
    commit_message: source?.commit_message ?? '',
    commit_author: source?.commit_author ?? null,
    tag: source?.tag ?? null,
    duration: null,
    logs: '',
    created_at: now.toISOString(),
    waiting: null,
    rollback_of: source?.id ?? null,
    chosen_canisters: source?.chosen_canisters ?? null,
    artifacts: null,
    awaits_approval: false,
    left_out: null,
    warnings: null,
  };
}

/** The list with a run at its top; one that is already there is replaced in place. */
export function withInstance(
  list: readonly DeployInstance[] | undefined,
  run: DeployInstance,
): DeployInstance[] {
  const runs = list ?? [];
  if (runs.some(({ id }) => id === run.id)) return runs.map((entry) => (entry.id === run.id ? run : entry));
  return [run, ...runs];
}

/** Whether two answers about a run tell the same; logs only grow, so their length stands for them. */
export function isSameRun(left: DeployInstance, right: DeployInstance): boolean {
  return (
    left.status === right.status &&
    left.commit_id === right.commit_id &&
    left.commit_message === right.commit_message &&
    left.commit_author === right.commit_author &&
    left.duration === right.duration &&
    left.awaits_approval === right.awaits_approval &&
    left.left_out?.canisters?.length === right.left_out?.canisters?.length &&
    left.warnings?.length === right.warnings?.length &&
    left.logs?.length === right.logs?.length
  );
}

/**
 * The run whose result is live, as the service has recorded it; from one that records none, the newest that was completed.
 * After one of a part its artifacts include those that earlier runs have put into the other canisters.
 * @param runs newest first
 * @param recorded `live_run` of the deploy
 */
export function liveRun(
  runs: readonly DeployInstance[],
  recorded?: string | null,
): DeployInstance | undefined {
  const place = runs.findIndex(({ id, status }) => status === 'COMPLETED' && id !== '' && id === recorded);
  const completed = runs.slice(Math.max(place, 0)).filter(({ status }) => status === 'COMPLETED');
  const [newest] = completed;
  if (newest === undefined || partText(newest) === null) return newest;
  const whole = completed.findIndex((run) => partText(run) === null);
  const counting = whole === -1 ? completed : completed.slice(0, whole + 1);
  const artifacts = counting.flatMap((run) => run.artifacts ?? []);
  const first = new Map(artifacts.toReversed().map((artifact) => [artifact.name, artifact]));
  return { ...newest, artifacts: [...first.values()] };
}

/** Characters of a hash that are shown. */
const HASH_SHOWN = 10;

/** What a rollback does to a canister. */
export interface RollbackChange {
  readonly name: string | null;
  /** 'unknown' when nothing is kept of what is live. */
  readonly change: 'same' | 'changed' | 'unknown';
  /** First characters of the hashes of what is live and of what comes. */
  readonly from: string;
  readonly to: string;
}

/** What rolling back to a run changes, canister by canister. */
export function rollbackChanges(run: DeployInstance, live: DeployInstance | undefined): RollbackChange[] {
  return (run.artifacts ?? []).map(({ name, hash }) => {
    const from = live?.artifacts?.find((part) => part.name === name)?.hash ?? '';
    const change = from === '' || hash === null ? 'unknown' : from === hash ? 'same' : 'changed';
    return { name, change, from: from.slice(0, HASH_SHOWN), to: (hash ?? '').slice(0, HASH_SHOWN) };
  });
}

/** Whether a run can be rolled back to: it succeeded, what it published is kept, and it is not what is live. */
export function canRollBack(run: DeployInstance, live: DeployInstance | undefined): boolean {
  return (
    run.status === 'COMPLETED' && run.id !== '' && run.id !== live?.id && (run.artifacts ?? []).length > 0
  );
}

/** Whether the commit of a run can be built again: it is over, and its repository is one of this console that is still there. */
export function canRedeploy(
  run: DeployInstance,
  { url, repository_deleted: isGone }: Pick<Deploy, 'url' | 'repository_deleted'>,
  config: PublicConfig | undefined,
): boolean {
  const isOwn = url === null && config?.git_provider.embedded === true && isGone !== true;
  return isOwn && run.id !== '' && isFinished(run.status) && Boolean(run.commit_sha);
}

/** Whether a run has another commit than what is live. */
export function canCompare(run: DeployInstance, live: DeployInstance | undefined): boolean {
  return Boolean(run.commit_sha && live?.commit_sha) && run.commit_sha !== live?.commit_sha;
}

/** Whether a failed run is made good by another one like it; after a rollback that would be the commit it was to undo. */
export function canDeployAgain(run: DeployInstance): boolean {
  return run.status === 'FAILED' && run.trigger_by !== 'ROLLBACK';
}

/** The module that a run has put into a canister. */
export interface RunModule {
  /** The canister's name in the project. */
  readonly name: string;
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** The modules that a successful run has put into canisters, as far as they are kept. */
export function modulesOf({ id, status, artifacts }: DeployInstance): RunModule[] {
  if (id === '' || status !== 'COMPLETED') return [];
  return (artifacts ?? []).flatMap(({ name, kind, hash, size }) =>
    kind === 'module' && name !== null ? [{ name, hash: hash ?? '', size: size ?? 0 }] : [],
  );
}

/** What a registry for a module of a run is called at first: the canister and the commit. */
export function registryNameOf({ name }: RunModule, { commit_id: commit }: DeployInstance): string {
  return [name, commit?.slice(0, 7)].filter(Boolean).join(' ');
}

/** The runs that are known to be under way. */
export function activeInstances(list: readonly DeployInstance[] | undefined): DeployInstance[] {
  return (list ?? []).filter(({ id, status }) => id !== '' && status !== null && !isFinished(status));
}

/** What has started a run, in a word or two; null for what is not known. */
export function triggerText({ trigger_by: trigger }: Pick<DeployInstance, 'trigger_by'>): string | null {
  return triggerTexts.get(trigger ?? '') ?? null;
}

const triggerTexts: ReadonlyMap<string, string> = new Map([
  ['MANUAL', 'by hand'],
  ['PUSH', 'by push'],
  ['ROLLBACK', 'rollback'],
  ['APPROVAL', 'published anyway'],
  ['REDEPLOY', 'redeploy'],
]);

/**
 * The sentence about a run: '{deploy} is live for {commit}', '{deploy} failed for {commit}', 'Deploying {commit}'.
 * @param isLive whether it is the one that is served: of all other successful runs the sentence goes on
 */
export function instanceSentence(
  deployName: string,
  run: Pick<DeployInstance, 'status' | 'commit_id'>,
  isLive = true,
): string {
  const commit = run.commit_id ? ` ${run.commit_id.slice(0, 7)}` : '';
  if (run.status === 'COMPLETED')
    return `${deployName} is live for${commit}${isLive ? '' : ', replaced since'}`;
  if (run.status === 'FAILED') return `${deployName} failed for${commit}`;
  return run.status === null ? `${deployName}${commit}: ${NOT_AVAILABLE}` : `Deploying${commit}`;
}

/** Which part of the project a run deploys, such as 'only backend'; null for the whole project. */
export function partText({ chosen_canisters: chosen }: DeployInstance): string | null {
  return chosen === null || chosen.length === 0 ? null : `only ${chosen.join(', ')}`;
}

/** What a run that is live leaves out of the project, such as '1 of 3 canisters not deployed: backend (Rust)'; null for nothing. */
export function notDeployedText({ status, left_out: left }: DeployInstance): string | null {
  if (status !== 'COMPLETED' || left === null || (left.canisters ?? []).length === 0) return null;
  return leftOutText({ of: left.of, canisters: left.canisters ?? [] });
}

/** Names of the canisters for which a run has failed, since what it would deploy needs them and they are not deployed. */
export function neededNames({ status, left_out: left }: DeployInstance): string[] {
  if (status !== 'FAILED') return [];
  return (left?.canisters ?? []).flatMap(({ name, needed_by }) =>
    name !== null && needed_by !== null ? [name] : [],
  );
}

/** Names of the canisters that the owner has agreed to leave out though others need them. */
export function leftWithConsent({ deploy_without: names }: Deploy): string[] {
  return (names ?? []).filter((name) => name !== null);
}

/** Why a run has not begun yet. */
export function waitingText(waiting: DeployInstance['waiting']): string {
  const ahead = waiting?.ahead ?? 0;
  if (waiting?.reason === 'deploy') return 'Waiting for an earlier run of this deploy';
  if (ahead === 0) return 'Waiting for a worker to start it';
  const whose = waiting?.reason === 'user' ? ' of yours' : '';
  return ahead === 1 ? `Waiting: 1 run${whose} is ahead` : `Waiting: ${ahead} runs${whose} are ahead`;
}

/** The text of a run's log view. */
export function instanceLog(run: Pick<DeployInstance, 'status' | 'logs'>): string {
  if (run.logs) return run.logs;
  return run.status === 'FAILED' ? 'Deployment Failed!' : '';
}
