import type { Dapp } from '@cannery/contract';
import { expect, test } from 'vitest';
import { dappName, dappsAfter } from './dapp-state.ts';

const dapp = (id: string, name = `Dapp ${id}`): Dapp => ({
  id,
  name,
  app_name: name,
  icon: null,
  picture: null,
  picture_of: null,
  git_url: null,
  description: 'Cans',
  wasm: 'aa',
  version: '1.0.0',
  created_at: '2024-03-05T15:07:00.000Z',
  user: { username: 'ada' },
  kind: null,
  installs: 0,
  rating: null,
  ratings: null,
});
const list = [dapp('1'), dapp('2'), dapp('3')];
const ids = (dapps: readonly Dapp[]) => dapps.map(({ id }) => id);

test('[STATE-10] GET_DAPPS replaces the list', () => {
  expect(dappsAfter(list, { type: 'GET_DAPPS', dapps: [dapp('9')] })).toEqual([dapp('9')]);
});

test('[STATE-10] SUBMIT_DAPP prepends, once', () => {
  const added = dappsAfter(list, { type: 'SUBMIT_DAPP', dapp: dapp('4') });
  expect(ids(added)).toEqual(['4', '1', '2', '3']);
  expect(ids(dappsAfter(added, { type: 'SUBMIT_DAPP', dapp: dapp('3') }))).toEqual(['3', '4', '1', '2']);
});

test('[STATE-10] DELETE_DAPP removes by id', () => {
  expect(ids(dappsAfter(list, { type: 'DELETE_DAPP', id: '2' }))).toEqual(['1', '3']);
});

test('[STATE-10] UPDATE_DAPP merges by id', () => {
  const changed = { name: 'Renamed', version: '1.1.0' };
  const after = dappsAfter(list, { type: 'UPDATE_DAPP', id: '2', changed });
  expect(after).toEqual([dapp('1'), { ...dapp('2'), ...changed }, dapp('3')]);
  expect(list[1]).toEqual(dapp('2'));
});

test('[ENT-12] a dapp has a name by either of its fields', () => {
  expect(dappName({ name: 'Counter', app_name: 'Other' })).toBe('Counter');
  expect(dappName({ name: null, app_name: 'Counter' })).toBe('Counter');
  expect(dappName({ name: null, app_name: null })).toBe('N/A');
});
