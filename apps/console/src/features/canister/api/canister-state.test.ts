import type { Canister } from '@cannery/contract';
import { describe, expect, test } from 'vitest';
import {
  countRunning,
  defaultInstallMode,
  edgeColour,
  installProgress,
  isRunning,
  moduleHashes,
  replaceCanister,
  searchCanisters,
  withCanister,
  withoutCanister,
} from './canister-state.ts';

const canister = (id: string, rest: Partial<Canister> = {}): Canister => ({
  id,
  name: id,
  tags: [],
  cycles: 1,
  cycles_exact: '1',
  status: 'running',
  module_hash: null,
  created_at: '2024-03-05T15:07:00Z',
  updated_at: null,
  days_until_freezing: null,
  as_of: null,
  origin: null,
  serves_http: false,
  picture: null,
  deploy: null,
  ...rest,
});
const ids = (list: readonly Canister[]): string[] => list.map(({ id }) => id);

test('[ENT-03] only running displays as running', () => {
  expect(['running', 'stopped', 'stopping', ''].map((status) => isRunning({ status }))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(countRunning([canister('a'), canister('b', { status: 'stopping' })])).toEqual({
    running: 1,
    others: 1,
  });
});

describe('module hash', () => {
  test('[CAND-06] each hash has the prefix 0x', () => {
    expect(moduleHashes('ab12')).toEqual(['0xab12']);
    expect(moduleHashes(['ab', '0xcd'])).toEqual(['0xab', '0xcd']);
    expect(moduleHashes(null)).toEqual([]);
  });

  test.each([null, undefined, '', []])('[ENT-04] %j means no code is installed', (hash) => {
    expect(moduleHashes(hash)).toEqual([]);
  });
});

describe('install', () => {
  test("[CAND-11] [CAND-12] the mode opens as 'install' without code, else as 'upgrade'", () => {
    expect(defaultInstallMode({ module_hash: [] })).toBe('install');
    expect(defaultInstallMode({ module_hash: 'ab' })).toBe('upgrade');
  });

  test('[STATE-08] progress goes idle, installing, closed; a failure gives the dialog back', () => {
    expect(installProgress('idle', 'confirmed')).toBe('installing');
    expect(installProgress('installing', 'succeeded')).toBe('closed');
    expect(installProgress('installing', 'failed')).toBe('idle');
    expect(installProgress('closed', 'opened')).toBe('idle');
    expect(installProgress('closed', 'confirmed')).toBe('closed');
    expect(installProgress('idle', 'succeeded')).toBe('idle');
  });
});

describe('list', () => {
  test('[STATE-04] a created canister comes first and is not doubled', () => {
    expect(ids(withCanister([canister('a')], canister('b')))).toEqual(['b', 'a']);
    expect(ids(withCanister([canister('a'), canister('b')], canister('b')))).toEqual(['b', 'a']);
    expect(ids(withCanister(undefined, canister('b')))).toEqual(['b']);
  });

  test('[STATE-06] a deletion removes by id', () => {
    const list = ['a', 'b', 'c'].map((id) => canister(id));
    expect(ids(withoutCanister(list, 'b'))).toEqual(['a', 'c']);
  });

  test('[STATE-03] the answer of a start or stop replaces the entry in its place', () => {
    const list = replaceCanister([canister('a'), canister('b')], canister('b', { status: 'stopped' }));
    expect(list.map(({ status }) => status)).toEqual(['running', 'stopped']);
  });

  test('the search looks at names and ids, ignoring case', () => {
    const list = [canister('aaaaa-aa', { name: 'Docs Site' }), canister('rrkah-cai', { name: 'counter' })];
    expect(ids(searchCanisters(list, 'docs'))).toEqual(['aaaaa-aa']);
    expect(ids(searchCanisters(list, ' RRKAH '))).toEqual(['rrkah-cai']);
    expect(searchCanisters(list, '  ')).toBe(list);
  });
});

test('[CAN-12] the edge colours go round: cards 1 and 7 share one', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map(edgeColour)).toEqual([1, 2, 3, 4, 5, 6, 1]);
});
