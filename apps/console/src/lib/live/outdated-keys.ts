import { isFinished, type DeployInstance, type LiveSubject } from '@cannery/contract';
import { queryKeys } from '../shared/query-keys.ts';

/** The beginning of the keys of cached answers that something has made old. */
export interface OutdatedKey {
  readonly key: readonly unknown[];
  /** Only the answer of exactly this key. */
  readonly exact?: true;
  /** Whether an answer is kept up to date by other means. */
  readonly isKept?: (answer: unknown) => boolean;
}

/** Keys of everything that is shown of one canister. */
function ofCanister(id: string): OutdatedKey[] {
  const { canister, statusLogs, canisterDetails, canisterBalances, canisterHistory, snapshots } = queryKeys;
  return [canister, statusLogs, canisterDetails, canisterBalances, canisterHistory, snapshots].map(
    (keyOf) => ({
      key: keyOf(id),
    }),
  );
}

/** Whether a list has a run as one that is not over: the page polls it until it is, every two seconds as specified. */
function isFollowed(runs: unknown, id: string): boolean {
  const known = (runs as readonly DeployInstance[] | undefined)?.find((run) => run.id === id);
  return known !== undefined && !isFinished(known.status);
}

const ACCOUNT: readonly OutdatedKey[] = [
  { key: queryKeys.insights },
  { key: queryKeys.transactions },
  { key: queryKeys.firstSteps },
];
const REPOSITORIES: readonly OutdatedKey[] = [
  { key: queryKeys.repositories },
  { key: queryKeys.repositoryAccount },
  { key: queryKeys.repositoryContent },
  { key: queryKeys.allBranches },
];
const DAPPS: readonly OutdatedKey[] = [
  { key: queryKeys.dapps },
  { key: queryKeys.dapp('').slice(0, 1) },
  { key: queryKeys.dappInstances },
];

/** What is to be asked for again when something has changed, by its kind. */
const OUTDATED: {
  readonly [Kind in LiveSubject['kind']]: (
    subject: Extract<LiveSubject, { kind: Kind }>,
  ) => readonly OutdatedKey[];
} = {
  deploys: ({ id }) => [
    { key: queryKeys.deploys },
    { key: queryKeys.deploy(id), exact: true },
    { key: queryKeys.deployHook(id) },
    { key: queryKeys.deployPlan(id, '').slice(0, 2) },
    { key: queryKeys.repositoryContent },
  ],
  run: ({ deploy_id: deployId, id }) => [
    { key: queryKeys.deploys },
    { key: queryKeys.deploy(deployId), exact: true },
    { key: queryKeys.instances(deployId), exact: true, isKept: (runs) => isFollowed(runs, id) },
    // It says which run of a deploy is live.
    { key: queryKeys.repositoryContent },
  ],
  canisters: ({ id }) => [
    { key: queryKeys.canisters },
    ...ofCanister(id),
    { key: queryKeys.dappInstances },
    { key: queryKeys.insights },
  ],
  balance: () => ACCOUNT,
  repositories: () => REPOSITORIES,
  dapps: () => DAPPS,
  all: () => [
    { key: queryKeys.deploys },
    { key: queryKeys.deploy('').slice(0, 1) },
    { key: queryKeys.deployHook('').slice(0, 1) },
    { key: queryKeys.canisters },
    ...ofCanister('').map(({ key }) => ({ key: key.slice(0, 1) })),
    { key: queryKeys.canisterLogs('', '').slice(0, 1) },
    ...ACCOUNT,
    ...REPOSITORIES,
    ...DAPPS,
  ],
};

/** The cached answers that a change has made old. */
export function outdatedBy<Kind extends LiveSubject['kind']>(
  subject: Extract<LiveSubject, { kind: Kind }>,
): readonly OutdatedKey[] {
  const keysOf: (subject: Extract<LiveSubject, { kind: Kind }>) => readonly OutdatedKey[] =
    OUTDATED[subject.kind as Kind];
  return keysOf(subject);
}
