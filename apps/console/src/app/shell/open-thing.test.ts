import { expect, test } from 'vitest';
import { openThing } from './open-thing.ts';

test.each([
  ['/ics/canister/aaaaa-aa', { kind: 'canister', id: 'aaaaa-aa' }],
  ['/ics/deploy/12/settings', { kind: 'deploy', id: '12' }],
  ['/ics/deploy/12/runs/3', { kind: 'deploy', id: '12' }],
  ['/ics/dapp/7', { kind: 'dapp', id: '7' }],
  ['/ics/deploy/new', undefined],
  ['/ics/deploy/', undefined],
  ['/ics/canisters', undefined],
  ['/ics/dashboard', undefined],
])('what is open at %s', (pathname, open) => {
  expect(openThing(pathname)).toEqual(open);
});
