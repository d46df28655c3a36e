import { expect, test } from 'vitest';
import type { CanisterLeaves } from '../../state-leaves.ts';
import { utf8 } from '../bytes.ts';
import { known } from './canister-tree.ts';
import { hashOf } from './hash-tree.ts';

const leaves: CanisterLeaves = {
  canisterId: Uint8Array.of(1, 1),
  controllers: [Uint8Array.of(4)],
  moduleHash: new Uint8Array(32).fill(1),
  certifiedData: utf8('first'),
  createdAtNanos: 5n,
  installedAtNanos: 6n,
  metadata: [{ name: 'candid:service', visibility: 'public', content: utf8('service : {}') }],
};
const { metadata, ...unchanged } = leaves;

test.each<[string, CanisterLeaves]>([
  ['certified data', { ...unchanged, certifiedData: utf8('second') }],
  ['controllers', { ...unchanged, controllers: [Uint8Array.of(4), Uint8Array.of(5)] }],
  ['another controller', { ...unchanged, controllers: [Uint8Array.of(5)] }],
  ['no controllers', { ...unchanged, controllers: [] }],
  ['the module', { ...unchanged, moduleHash: new Uint8Array(32).fill(2), installedAtNanos: 7n }],
  ['the time of installation', { ...unchanged, installedAtNanos: 7n }],
  [
    'no code',
    { ...unchanged, moduleHash: undefined, installedAtNanos: undefined, certifiedData: new Uint8Array() },
  ],
])('a change of %s gives the tree that would be made from scratch', (_name, changed) => {
  const after = known(changed, known(leaves, undefined));
  const fromScratch = known({ ...changed, ...(changed.moduleHash && { metadata }) }, undefined);
  expect(Buffer.from(hashOf(after.tree))).toEqual(Buffer.from(hashOf(fromScratch.tree)));
  expect(Buffer.from(hashOf(after.tree))).not.toEqual(Buffer.from(hashOf(known(leaves, undefined).tree)));
});

test('code that is reinstalled shows only its own metadata', () => {
  const empty = known({ ...unchanged, moduleHash: undefined }, known(leaves, undefined));
  expect(empty.metadata).toEqual([]);
  expect(known(unchanged, empty).metadata).toEqual([]);
});
