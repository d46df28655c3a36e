import type { Canister, DappInstance, Deploy } from '@cannery/contract';
import { expect, test } from 'vitest';
import { newestApps } from './apps.ts';
import { attentionOf } from './attention.ts';

const canister = (id: string, rest: Partial<Canister> = {}): Canister => ({
  id,
  name: id,
  tags: [],
  cycles: 2e12,
  cycles_exact: null,
  status: 'running',
  module_hash: null,
  days_until_freezing: null,
  created_at: '2024-03-05T00:00:00Z',
  updated_at: null,
  as_of: null,
  origin: null,
  serves_http: false,
  picture: null,
  deploy: null,
  ...rest,
});

const deploy = (id: string, status: string | null, rest: Partial<Deploy> = {}): Deploy =>
  ({
    id,
    name: id,
    status,
    created_at: '2024-03-01T00:00:00Z',
    canisters: [],
    parts: [],
    deployInstance:
      status === null
        ? null
        : { id: `${id}-run`, status, created_at: '2024-03-04T00:00:00Z', awaits_approval: false },
    ...rest,
  }) as Deploy;

const instance = (id: string, version: string | undefined): DappInstance => ({
  canister_id: id,
  canister_name: id,
  dapp_id: 'd',
  dapp_name: 'Ledger',
  publisher: 'ada',
  module_hash: 'y',
  version: '1.0.0',
  withdrawn: false,
  update: version === undefined ? null : { version, identifier: 'x', notes: '' },
  way_back: null,
});

test('what needs attention: failed runs and frozen canisters, then those that freeze soon, then updates', () => {
  const found = attentionOf({
    deploys: [deploy('shop', 'COMPLETED'), deploy('broken', 'FAILED'), deploy('new', null)],
    canisters: [
      canister('soon', { days_until_freezing: 12.3 }),
      canister('frozen', { days_until_freezing: 0 }),
      canister('rich', { days_until_freezing: 30 }),
      canister('idle'),
    ],
    instances: [instance('old', '2.0.0'), instance('newest', undefined)],
  });
  expect(found.map(({ tone, name, text }) => [tone, name, text])).toEqual([
    ['bad', 'broken', 'The last run failed'],
    ['bad', 'frozen', 'Frozen: it refuses calls until it has more cycles'],
    ['warn', 'soon', 'Freezes in 12 days'],
    ['info', 'old', 'Ledger 2.0.0 is available'],
  ]);
});

test('nothing needs attention where nothing is wrong', () => {
  const owned = { deploys: [deploy('a', 'RUNNING')], canisters: [canister('b')], instances: [] };
  expect(attentionOf(owned)).toEqual([]);
});

test('apps are deploys, and canisters that no deploy fills; what changed last comes first', () => {
  const apps = newestApps(
    [
      deploy('site', 'COMPLETED', { canisters: ['poor', 'rich'] }),
      deploy('idea', null, { created_at: '2024-03-02T00:00:00Z' }),
    ],
    [
      canister('alone'),
      canister('rich', { cycles: 5e12 }),
      canister('poor', { cycles: 1e12 }),
      canister('old', { created_at: '2024-01-01T00:00:00Z', updated_at: '2024-03-03T00:00:00Z' }),
    ],
    9,
  );
  expect(apps.map(({ name, canister: shown }) => [name, shown?.id])).toEqual([
    ['alone', 'alone'],
    ['site', 'poor'],
    ['old', 'old'],
    ['idea', undefined],
  ]);
});

test.each(['T00:00:00Z', 'T00:00:00.000Z'])(
  'of many apps only the newest are there, and of those of one moment the first (%s)',
  (time) => {
    const many = Array.from({ length: 40 }, (_one, place) =>
      canister(`c${place}`, { created_at: `2024-01-${String((place % 20) + 1).padStart(2, '0')}${time}` }),
    );
    const names = newestApps([], many, 5).map(({ name }) => name);
    expect(names).toEqual(['c19', 'c39', 'c18', 'c38', 'c17']);
  },
);
