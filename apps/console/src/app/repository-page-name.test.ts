import { expect, test } from 'vitest';
import { repositoryPageName } from './repository-page-name.ts';

const nameOf = (address: string) => repositoryPageName(new URL(address, 'http://localhost'));

test.each([
  ['/ada', { owner: 'ada' }],
  ['/ada/', { owner: 'ada' }],
  ['/ada?type=MOTOKO', { owner: 'ada', deploy_type: 'MOTOKO' }],
  ['/ada?type=ANY', { owner: 'ada' }],
  ['/ada/notes.git', { owner: 'ada', repo: 'notes.git' }],
  ['/ada/notes/tree/feature%2Fx', { owner: 'ada', repo: 'notes', branch: 'feature/x' }],
  ['/ada/notes/tree/feature/x', { owner: 'ada', repo: 'notes', branch: 'feature/x' }],
  [`/git/connect?state=${encodeURIComponent('{"deploy_type":"MOTOKO"}')}`, { deploy_type: 'MOTOKO' }],
  ['/git/connect?state=null', {}],
  ['/git/connect', {}],
])('%s names a page', (address, name) => {
  expect(nameOf(address)).toEqual(name);
});

test.each(['/', '//ada', '/ada//notes', '/ada/notes/tree', '/ada/notes/blob/main', '/%'])(
  '%s names none',
  (address) => {
    expect(nameOf(address)).toBeUndefined();
  },
);
