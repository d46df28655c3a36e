import { expect, test } from 'vitest';
import { dappSite, dappState, filterDapps, readFilter } from './dapps-filter.ts';

const run = (status: string, created_at: string, commit_message = 'First') => ({
  status,
  created_at,
  commit_id: '9f2c4d1ab0c7',
  commit_message,
});
const deploy = (name: string, rest: object = {}) => ({
  name,
  type: 'STATIC_SITE',
  status: null,
  repo_name: 'repo',
  github_repo_owner: 'ada',
  branch: 'main',
  site_name: null,
  canisters: ['aaaaa-aa'],
  created_at: '2026-01-01T00:00:00Z',
  deployInstance: null,
  ...rest,
});
const all = readFilter({});

test('the state of a DApp is what its last run came to', () => {
  const states = [null, 'SCHEDULED', 'RUNNING', 'COMPLETED', 'FAILED'].map((status) =>
    dappState({ status: null, deployInstance: status === null ? null : run(status, '2026-01-01') }),
  );
  expect(states).toEqual(['new', 'running', 'running', 'live', 'failed']);
  // A service that sends no run with a deploy says in the deploy how its last one went.
  expect(dappState({ status: 'FAILED', deployInstance: null })).toBe('failed');
});

test('what ran last comes first, and one that never ran by when it was created', () => {
  const old = deploy('old', { deployInstance: run('FAILED', '2025-06-01T00:00:00Z') });
  const recent = deploy('recent', { deployInstance: run('COMPLETED', '2026-02-01T00:00:00Z') });
  const rows = filterDapps([old, deploy('new'), recent], all);
  expect(rows.map(({ name }) => name)).toEqual(['recent', 'new', 'old']);
});

test('the search finds each word anywhere in name, repository, branch, commit and ids; state and type narrow it', () => {
  const shop = deploy('Shop', {
    repo_name: 'cake-shop',
    branch: 'next',
    deployInstance: run('COMPLETED', '2026-01-03T00:00:00Z', 'Bake RYE bread'),
  });
  const bank = deploy('Bank', { type: 'MOTOKO', canisters: ['rrkah-fqaaa-aaaaa-aaaaq-cai'] });
  const found = (search: string, rest: object = {}) =>
    filterDapps([shop, bank], { ...all, search, ...rest }).map(({ name }) => name);
  for (const search of ['shop', 'ada/cake', 'NEXT', 'rye bread', 'bread shop', '9f2c4d1'])
    expect(found(search), search).toEqual(['Shop']);
  expect(found('rrkah')).toEqual(['Bank']);
  expect(found('bread bank')).toEqual([]);
  expect(found('', { state: 'live' })).toEqual(['Shop']);
  expect(found('', { state: 'new', type: 'MOTOKO' })).toEqual(['Bank']);
  expect(found('', { state: 'new', type: 'STATIC_SITE' })).toEqual([]);
});

test('an address that makes no sense filters nothing', () => {
  expect(readFilter({ q: 'rye', state: 'sideways', type: 'static' })).toEqual({
    search: 'rye',
    state: undefined,
    type: undefined,
  });
  expect(readFilter({ state: 'failed', type: 'CUSTOM' })).toMatchObject({ state: 'failed', type: 'CUSTOM' });
});

test('a DApp is open at the name of its site, or by the ID of the canister that answers HTTP', () => {
  const config = {
    canister_url_pattern: 'http://{canisterId}.localhost:4943/',
    site_name_pattern: 'http://{name}.localhost:4943/',
  };
  const part = (canister_id: string, kind: string, rest: object = {}) => ({
    canister_id,
    kind,
    name: null,
    serves_http: false,
    picture: null,
    ...rest,
  });
  const project = {
    type: 'CUSTOM',
    site_name: null,
    canisters: ['a', 'b'],
    parts: [part('a', 'module'), part('b', 'site', { picture: '/picture/b' })],
  };
  expect(dappSite(project, config)).toEqual({ url: 'http://b.localhost:4943/', picture: '/picture/b' });
  expect(dappSite({ ...project, site_name: 'shop' }, config)?.url).toBe('http://shop.localhost:4943/');
  expect(dappSite(project, undefined)).toBeUndefined();
  expect(dappSite({ ...project, parts: [part('a', 'module')] }, config)).toBeUndefined();
  expect(dappSite({ ...project, parts: [part('a', 'module', { serves_http: true })] }, config)?.url).toBe(
    'http://a.localhost:4943/',
  );
  const fresh = { ...project, type: 'STATIC_SITE', canisters: ['a'], parts: [] };
  expect(dappSite(fresh, config)?.url).toBe('http://a.localhost:4943/');
  expect(dappSite({ ...fresh, canisters: [] }, config)).toBeUndefined();
});
