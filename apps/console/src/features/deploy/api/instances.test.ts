import type { Deploy, DeployInstance, PublicConfig } from '@cannery/contract';
import { expect, test } from 'vitest';
import {
  activeInstances,
  canCompare,
  canDeployAgain,
  canRedeploy,
  canRollBack,
  deployRow,
  instanceLog,
  instanceSentence,
  isSameRun,
  liveRun,
  localInstance,
  modulesOf,
  registryNameOf,
  rollbackChanges,
  triggerText,
  withInstance,
} from './instances.ts';

const run = (id: string, rest: Partial<DeployInstance> = {}): DeployInstance => ({
  id,
  status: 'COMPLETED',
  deploy_id: 'd',
  trigger_by: 'MANUAL',
  commit_id: '9f2c4d1ab0c7',
  commit_message: 'First',
  commit_author: 'Ada',
  tag: null,
  chosen_canisters: null,
  duration: 12,
  logs: null,
  created_at: '2024-03-05T15:07:00Z',
  waiting: null,
  rollback_of: null,
  artifacts: null,
  awaits_approval: false,
  left_out: null,
  warnings: null,
  ...rest,
});
const deploy = (rest: Partial<Deploy> = {}): Deploy => ({
  id: 'd',
  name: 'site',
  type: 'STATIC_SITE',
  status: 'RUNNING',
  repo_name: 'repo',
  github_repo_owner: 'ada',
  branch: 'main',
  build_command: null,
  publish_directory: null,
  is_public: false,
  url: null,
  repository_deleted: false,
  site_name: null,
  on_push: false,
  watch_paths: [],
  deploy_tags: '',
  breaking_changes: 'publish',
  snapshots: 'require',
  health_call: null,
  deploy_without: [],
  starting_cycles: [],
  duration: 99,
  created_at: '2024-03-01T00:00:00Z',
  canisters: [],
  parts: [],
  install_arguments: [],
  root_directory: '',
  variables: [],
  deployInstance: null,
  ...rest,
});

test('[CAN-25] the latest run gives status and duration, the deploy everything else', () => {
  const row = deployRow(deploy({ deployInstance: run('i', { status: 'FAILED', duration: 4 }) }));
  expect(row).toEqual({
    id: 'd',
    name: 'site',
    type: 'STATIC_SITE',
    repo_name: 'repo',
    branch: 'main',
    created_at: '2024-03-01T00:00:00Z',
    status: 'FAILED',
    duration: 4,
  });
  expect(deployRow(deploy())).toMatchObject({ status: 'RUNNING', duration: 99 });
});

test('[DEPD-13] a triggered run stands at the top as SCHEDULED and MANUAL', () => {
  const local = localInstance('d', 'new', new Date('2024-03-05T15:07:00Z'));
  expect(local).toMatchObject({ id: 'new', status: 'SCHEDULED', trigger_by: 'MANUAL', deploy_id: 'd' });
  expect(withInstance([run('old')], local).map(({ id }) => id)).toEqual(['new', 'old']);
});

test('[DEPD-16] an answer about a known run takes its place', () => {
  const list = withInstance([run('b', { status: 'RUNNING' }), run('a')], run('b', { logs: 'done\n' }));
  expect(list.map(({ id, logs }) => [id, logs])).toEqual([
    ['b', 'done\n'],
    ['a', null],
  ]);
});

test('[DEPD-19] runs that are not over are found, whatever their place', () => {
  const list = [
    run('c', { status: 'SCHEDULED' }),
    run('b'),
    run('a', { status: 'RUNNING' }),
    run('z', { status: 'FAILED' }),
  ];
  expect(activeInstances(list).map(({ id }) => id)).toEqual(['c', 'a']);
  expect(activeInstances(undefined)).toEqual([]);
});

test('a run is told again only when something about it is new', () => {
  expect(isSameRun(run('a'), run('a'))).toBe(true);
  expect(isSameRun(run('a', { logs: 'x' }), run('a', { logs: 'xy' }))).toBe(false);
  expect(isSameRun(run('a', { status: 'RUNNING' }), run('a'))).toBe(false);
});

test('[DEPD-11] the sentence of each state, without a commit too', () => {
  expect(instanceSentence('site', run('a'))).toBe('site is live for 9f2c4d1');
  expect(instanceSentence('site', run('a', { status: 'FAILED' }))).toBe('site failed for 9f2c4d1');
  expect(instanceSentence('site', run('a', { status: 'RUNNING' }))).toBe('Deploying 9f2c4d1');
  expect(instanceSentence('site', run('a', { status: 'SCHEDULED', commit_id: '' }))).toBe('Deploying');
});

test('[DEPD-11] of all successful runs the sentence says which one is served', () => {
  const other = instanceSentence('site', run('a'), false);
  expect(other).toContain('site is live for 9f2c4d1');
  expect(other).not.toBe(instanceSentence('site', run('a'), true));
  expect(instanceSentence('site', run('a', { status: 'FAILED' }), false)).toBe('site failed for 9f2c4d1');
});

test('the run that is live is the recorded one, whatever has come after it; without a record the newest that was completed', () => {
  const runs = [run('d', { status: 'RUNNING' }), run('c', { status: 'FAILED' }), run('b'), run('a')];
  expect(liveRun(runs, 'a')?.id).toBe('a');
  expect(liveRun(runs, 'b')?.id).toBe('b');
  for (const unknown of [null, undefined, '', 'gone']) expect(liveRun(runs, unknown)?.id).toBe('b');
  // What a run of a part has not put in is that of runs before the live one, never of later ones.
  const parts = [
    run('later', { artifacts: [part('web', 'later')] }),
    run('live', { chosen_canisters: ['ledger'], artifacts: [part('ledger', 'live')] }),
    run('before', { artifacts: [part('web', 'before')] }),
  ];
  expect(
    liveRun(parts, 'live')
      ?.artifacts?.map(({ hash }) => hash)
      .toSorted(),
  ).toEqual(['before', 'live']);
});

test('a commit is built again, and compared, only where that can be done', () => {
  const sha = 'a'.repeat(40);
  const config = (embedded: boolean) => ({ git_provider: { embedded } }) as unknown as PublicConfig;
  const over = run('a', { commit_sha: sha });
  const own = { url: null, repository_deleted: false };
  expect(canRedeploy(over, own, config(true))).toBe(true);
  expect(canRedeploy(run('a', { commit_sha: sha, status: 'FAILED' }), own, config(true))).toBe(true);
  for (const refused of [
    canRedeploy(over, own, config(false)),
    canRedeploy(over, own, undefined),
    canRedeploy(over, { ...own, url: 'https://github.com/o/r' }, config(true)),
    canRedeploy(over, { ...own, repository_deleted: true }, config(true)),
    canRedeploy(run('a'), own, config(true)),
    canRedeploy(run('', { commit_sha: sha }), own, config(true)),
    canRedeploy(run('a', { commit_sha: sha, status: 'RUNNING' }), own, config(true)),
  ])
    expect(refused).toBe(false);
  expect(canCompare(over, run('l', { commit_sha: 'b'.repeat(40) }))).toBe(true);
  expect(canCompare(over, run('l', { commit_sha: sha }))).toBe(false);
  expect(canCompare(over, run('l'))).toBe(false);
  expect(canCompare(over, undefined)).toBe(false);
});

test('what has started a run is said in words, and nothing of what is not known', () => {
  expect(triggerText(run('a'))).toBe('by hand');
  expect(triggerText(run('a', { trigger_by: 'REDEPLOY' }))).toBe('redeploy');
  for (const unknown of ['CRON', null, '__proto__'])
    expect(triggerText(run('a', { trigger_by: unknown }))).toBeNull();
});

test("[DEPD-12] a failed run without logs shows 'Deployment Failed!'", () => {
  expect(instanceLog(run('a', { status: 'FAILED', logs: '' }))).toBe('Deployment Failed!');
  expect(instanceLog(run('a', { status: 'FAILED', logs: 'npm ERR!' }))).toBe('npm ERR!');
  expect(instanceLog(run('a', { status: 'RUNNING' }))).toBe('');
});

const part = (name: string, hash: string) => ({ name, kind: 'module', hash, size: 1 });

test('a rollback tells what changes, canister by canister', () => {
  const earlier = run('a', { artifacts: [part('ledger', 'a'.repeat(64)), part('web', 'b'.repeat(64))] });
  const live = run('b', { artifacts: [part('web', 'c'.repeat(64)), part('ledger', 'a'.repeat(64))] });
  expect(rollbackChanges(earlier, live).map(({ name, change, from }) => [name, change, from])).toEqual([
    ['ledger', 'same', 'a'.repeat(10)],
    ['web', 'changed', 'c'.repeat(10)],
  ]);
  expect(rollbackChanges(earlier, undefined).map(({ change }) => change)).toEqual(['unknown', 'unknown']);
});

test('after runs of a part, what other canisters run is that of earlier runs, back to the last of the whole project', () => {
  const artifacts = (...names: string[]) => names.map((name) => part(name, name.repeat(32)));
  const runs = [
    run('d', { status: 'FAILED', artifacts: artifacts('x1') }),
    run('c', { chosen_canisters: ['web'], artifacts: [part('web', 'new web')] }),
    run('b', {
      chosen_canisters: ['web', 'ledger'],
      artifacts: [part('web', 'old web'), part('ledger', 'new ledger')],
    }),
    run('a', { artifacts: [part('ledger', 'old ledger'), part('index', 'index')] }),
    run('before', { artifacts: [part('gone', 'gone')] }),
  ];
  const live = liveRun(runs);
  expect(live?.id).toBe('c');
  const hashes = Object.fromEntries((live?.artifacts ?? []).map(({ name, hash }) => [name, hash]));
  expect(hashes).toEqual({ web: 'new web', ledger: 'new ledger', index: 'index' });
  expect(liveRun(runs.slice(3))).toBe(runs[3]);
  expect(liveRun(runs.slice(0, 1))).toBeUndefined();
});

test('only a successful run that is kept and not live can be rolled back to', () => {
  const kept = { artifacts: [part('web', 'b'.repeat(64))] };
  const live = run('live', kept);
  expect(canRollBack(run('a', kept), live)).toBe(true);
  expect(canRollBack(live, live)).toBe(false);
  expect(canRollBack(run('a', { ...kept, status: 'FAILED' }), live)).toBe(false);
  expect(canRollBack(run('a'), live)).toBe(false);
  expect(canRollBack(run('a', { artifacts: [] }), live)).toBe(false);
});

test('a failed run is offered again, but not a rollback: a new run would deploy what it was to undo', () => {
  expect(canDeployAgain(run('a', { status: 'FAILED' }))).toBe(true);
  expect(canDeployAgain(run('a', { status: 'FAILED', trigger_by: 'PUSH' }))).toBe(true);
  expect(canDeployAgain(run('a', { status: 'FAILED', trigger_by: 'ROLLBACK' }))).toBe(false);
  for (const status of ['COMPLETED', 'RUNNING', 'SCHEDULED', null]) {
    expect(canDeployAgain(run('a', { status }))).toBe(false);
  }
});

test('the modules of a successful run can become registries, named by canister and commit', () => {
  const module = { name: 'till', kind: 'module', hash: 'ab12', size: 7 };
  const artifacts = [module, { name: 'pages', kind: 'site', hash: 'cd34', size: 9 }];
  expect(modulesOf(run('a', { artifacts }))).toEqual([{ name: 'till', hash: 'ab12', size: 7 }]);
  expect(modulesOf(run('', { artifacts }))).toEqual([]);
  expect(modulesOf(run('a', { artifacts, status: 'FAILED' }))).toEqual([]);
  expect(modulesOf(run('a'))).toEqual([]);
  expect(registryNameOf(module, run('a'))).toBe('till 9f2c4d1');
  expect(registryNameOf(module, run('a', { commit_id: null }))).toBe('till');
});
