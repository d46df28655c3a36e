import { expect, test } from 'vitest';
import { fillPattern, withState } from './fill-pattern.ts';

test('[DEPD-04] the public address of a site carries the canister id where the pattern says', () => {
  expect(fillPattern('http://{canisterId}.localhost:4943/', { canisterId: 'aaaaa-aa' })).toBe(
    'http://aaaaa-aa.localhost:4943/',
  );
});

test('[CONST-10] addresses are used as configured, values encoded, unknown marks left alone', () => {
  expect(
    fillPattern('https://git.example/{owner}/{repo}/tree/{branch}?x={y}', {
      owner: 'a',
      repo: 'b c',
      branch: 'x/y',
    }),
  ).toBe('https://git.example/a/b%20c/tree/x%2Fy?x={y}');
});

test('[DEP-09] user and deploy type travel as JSON in the state parameter', () => {
  const state = { user_id: '1', deploy_type: 'MOTOKO' };
  for (const address of ['https://git.example/install', 'https://git.example/install?app=1']) {
    const url = new URL(withState(address, state));
    expect(JSON.parse(url.searchParams.get('state') ?? '')).toEqual(state);
  }
});
