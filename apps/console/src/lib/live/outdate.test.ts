import type { LiveSubject } from '@cannery/contract';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryKeys } from '../shared/query-keys.ts';
import { createOutdater, type Outdater } from './outdate.ts';

let client: QueryClient;
let outdater: Outdater;
let isHidden = false;
const ends: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  isHidden = false;
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  outdater = createOutdater({ client, isHidden: () => isHidden, random: () => 0.5 });
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  outdater.stop();
  client.clear();
  vi.useRealTimers();
});

/** A query that is on the page, and how often it was asked; an answer takes some milliseconds. */
function mounted(queryKey: readonly unknown[], answer: unknown = 'answer', takesMs = 0) {
  const asked = { times: 0 };
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async () => {
      asked.times += 1;
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
      return answer;
    },
  });
  ends.push(observer.subscribe(() => undefined));
  return asked;
}

const told = async (...subjects: LiveSubject[]): Promise<void> => {
  await vi.advanceTimersByTimeAsync(1);
  outdater.take(subjects);
  await vi.advanceTimersByTimeAsync(100);
};

test('each kind of change asks again for what shows it, and for nothing else', async () => {
  const shown = {
    deploys: mounted(queryKeys.deploys),
    deploy: mounted(queryKeys.deploy('d')),
    'other deploy': mounted(queryKeys.deploy('e')),
    runs: mounted(queryKeys.instances('d'), []),
    'other runs': mounted(queryKeys.instances('e'), []),
    run: mounted(queryKeys.instance('d', 'r')),
    plan: mounted(queryKeys.deployPlan('d', 'last')),
    canisters: mounted(queryKeys.canisters),
    canister: mounted(queryKeys.canister('c')),
    'other canister': mounted(queryKeys.canister('b')),
    details: mounted(queryKeys.canisterDetails('c')),
    history: mounted(queryKeys.canisterHistory('c')),
    'status logs': mounted(queryKeys.statusLogs('c')),
    snapshots: mounted(queryKeys.snapshots('c')),
    picture: mounted([...queryKeys.canister('c'), 'picture']),
    chart: mounted(queryKeys.canisterBalances('c', '7d')),
    instances: mounted(queryKeys.dappInstances),
    insights: mounted(queryKeys.insights),
    transactions: mounted(queryKeys.transactions),
    repositories: mounted(queryKeys.repositories),
    'own repositories': mounted(queryKeys.repositoryAccount),
    repository: mounted([...queryKeys.repositoryContent, 'ada', 'site', null]),
    branches: mounted(queryKeys.branches('ada', 'site', false)),
    dapps: mounted(queryKeys.dappList({ page: 1 })),
    dapp: mounted(queryKeys.dapp('x')),
    config: mounted(queryKeys.config),
    sessions: mounted(queryKeys.sessions),
  };
  await vi.advanceTimersByTimeAsync(10);
  const askedAgain = async (subject: LiveSubject): Promise<string[]> => {
    await vi.advanceTimersByTimeAsync(10);
    const before = Object.values(shown).map(({ times }) => times);
    await told(subject);
    await vi.advanceTimersByTimeAsync(3_000);
    return Object.entries(shown).flatMap(([name, { times }], place) =>
      times > (before[place] ?? 0) ? [name] : [],
    );
  };
  expect(await askedAgain({ kind: 'deploys', id: 'd' })).toEqual(['deploys', 'deploy', 'plan', 'repository']);
  expect(await askedAgain({ kind: 'run', deploy_id: 'd', id: 'r' })).toEqual([
    'deploys',
    'deploy',
    'runs',
    'repository',
  ]);
  const ofCanister = [
    'canister',
    'details',
    'history',
    'status logs',
    'snapshots',
    'picture',
    'chart',
    'instances',
    'insights',
  ];
  expect(await askedAgain({ kind: 'canisters', id: 'c' })).toEqual(['canisters', ...ofCanister]);
  expect(await askedAgain({ kind: 'balance' })).toEqual(['insights', 'transactions']);
  const ofRepositories = ['repositories', 'own repositories', 'repository', 'branches'];
  expect(await askedAgain({ kind: 'repositories' })).toEqual(ofRepositories);
  expect(await askedAgain({ kind: 'dapps' })).toEqual(['instances', 'dapps', 'dapp']);
  expect(await askedAgain({ kind: 'all' })).toEqual(
    Object.keys(shown).filter((name) => !['plan', 'config', 'sessions'].includes(name)),
  );
});

test('however much is told, what is on the page is asked for once, and what is not is asked for when it is shown', async () => {
  const list = mounted(queryKeys.canisters);
  client.setQueryData(queryKeys.canister('c'), 'known');
  await vi.advanceTimersByTimeAsync(10);
  for (let place = 0; place < 500; place += 1)
    outdater.take([
      { kind: 'canisters', id: 'c' },
      { kind: 'canisters', id: `c${place}` },
    ]);
  await vi.advanceTimersByTimeAsync(99);
  expect(list.times).toBe(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(list.times).toBe(2);
  expect(client.getQueryState(queryKeys.canister('c'))?.isInvalidated).toBe(true);
});

test('what was asked for after the change is not asked for again; what was asked for before it is', async () => {
  const quick = mounted(queryKeys.canisters);
  await vi.advanceTimersByTimeAsync(10);
  outdater.take([{ kind: 'canisters', id: 'c' }]);
  await vi.advanceTimersByTimeAsync(20);
  // An action of this page asks for its outcome.
  void client.refetchQueries({ queryKey: queryKeys.canisters });
  await vi.advanceTimersByTimeAsync(500);
  expect(quick.times).toBe(2);

  const slow = mounted(queryKeys.deploys, 'slow', 300);
  await vi.advanceTimersByTimeAsync(1_000);
  void client.refetchQueries({ queryKey: queryKeys.deploys });
  await vi.advanceTimersByTimeAsync(10);
  await told({ kind: 'deploys', id: 'd' });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(slow.times).toBe(3);
});

test('[DEPD-16] a run that the page follows is left to its polls; a run that the list has not, or has as ended, is not', async () => {
  const runs = [
    { id: 'under way', status: 'RUNNING' },
    { id: 'over', status: 'COMPLETED' },
  ];
  const list = mounted(queryKeys.instances('d'), runs);
  await vi.advanceTimersByTimeAsync(10);
  await told({ kind: 'run', deploy_id: 'd', id: 'under way' });
  expect(list.times).toBe(1);
  await told({ kind: 'run', deploy_id: 'd', id: 'over' });
  expect(list.times).toBe(2);
  await told({ kind: 'run', deploy_id: 'd', id: 'new' });
  expect(list.times).toBe(3);
});

test('a page that nobody sees asks for nothing, and knows that it is old', async () => {
  const list = mounted(queryKeys.canisters);
  await vi.advanceTimersByTimeAsync(10);
  isHidden = true;
  await told({ kind: 'canisters', id: 'c' });
  expect(list.times).toBe(1);
  expect(client.getQueryState(queryKeys.canisters)?.isInvalidated).toBe(true);
});

test('what everybody is told at once is asked for at some moment of three seconds', async () => {
  const dapps = mounted(queryKeys.dapps);
  await vi.advanceTimersByTimeAsync(10);
  outdater.take([{ kind: 'dapps' }]);
  await vi.advanceTimersByTimeAsync(1_550);
  expect(dapps.times).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(dapps.times).toBe(2);
});

test('what everybody is told again and again is asked for once in that time', async () => {
  const dapps = mounted(queryKeys.dapps);
  await vi.advanceTimersByTimeAsync(10);
  for (let times = 0; times < 140; times += 1) {
    outdater.take([{ kind: 'dapps' }]);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(3_000);
  expect(dapps.times).toBe(2);
  outdater.take([{ kind: 'dapps' }]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(dapps.times).toBe(3);
});

test('nothing is asked for after the end', async () => {
  const list = mounted(queryKeys.canisters);
  await vi.advanceTimersByTimeAsync(10);
  outdater.take([{ kind: 'canisters', id: 'c' }, { kind: 'dapps' }]);
  outdater.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(list.times).toBe(1);
});
