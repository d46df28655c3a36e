import { canisterEndpoints, deployEndpoints } from '@cannery/contract';
import { expect, test } from 'vitest';
import { chosenFate, cyclesTogether, deletedCanisters, nameToType } from './deploy-deletion.ts';

const deploy = deployEndpoints.one.reading?.read({
  id: 'd',
  name: ' My  shop ',
  canisters: ['a', 'b'],
  parts: [{ canister_id: 'b', name: 'backend', kind: 'module' }],
});
if (deploy === undefined) throw new Error('A deploy can be read.');
const listed = canisterEndpoints.list.reading?.read([
  { id: 'a', name: 'shop/pages', cycles: 2, cycles_exact: '9007199254740993' },
  { id: 'c', name: 'of another DApp', cycles: 5 },
]);

test('canisters are named and counted by the list of the account, as far as it has them', () => {
  const canisters = deletedCanisters(deploy, listed);
  expect(canisters).toEqual([
    { id: 'a', name: 'shop/pages', cycles: 9_007_199_254_740_993n },
    { id: 'b', name: 'backend', cycles: undefined },
  ]);
  expect(cyclesTogether(canisters)).toBeUndefined();
  expect(cyclesTogether(canisters.slice(0, 1))).toBe(9_007_199_254_740_993n);
  expect(deletedCanisters(deploy, undefined)[0]).toEqual({ id: 'a', name: null, cycles: undefined });
});

test('nothing is deleted before a way is chosen, and canisters only once the name is typed', () => {
  expect(chosenFate(deploy, { fate: undefined, typed: 'My shop' })).toBeUndefined();
  expect(chosenFate(deploy, { fate: 'keep', typed: '' })).toBe('keep');
  expect(chosenFate(deploy, { fate: 'delete', typed: '' })).toBeUndefined();
  expect(chosenFate(deploy, { fate: 'delete', typed: 'my shop' })).toBeUndefined();
  expect(chosenFate(deploy, { fate: 'delete', typed: 'My shop ' })).toBe('delete');
  expect(chosenFate({ ...deploy, canisters: [] }, { fate: undefined, typed: '' })).toBe('keep');
});

test('a DApp without a name is named by its id', () => {
  expect(nameToType(deploy)).toBe('My shop');
  expect(nameToType({ id: 'd', name: null })).toBe('d');
});
