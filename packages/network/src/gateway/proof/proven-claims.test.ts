import { expect, test } from 'vitest';
import { utf8 } from '@cannery/ic/certification/bytes';
import { sha256 } from '@cannery/ic/certification/signatures/hash';
import type { Asked, Claim } from './claim.ts';
import { ProvenClaims } from './proven-claims.ts';

const asked: Asked = {
  canisterId: Uint8Array.of(1),
  method: 'GET',
  url: '/a?b=c',
  headers: [],
  bodyHash: sha256(),
};
const claim: Claim = {
  signature: new Uint8Array(48),
  stateRootHash: new Uint8Array(32),
  timeNanos: 1n,
  version: 2,
  problem: undefined,
  isOfPath: true,
  isForAll: false,
  unpacked: undefined,
};

test('a claim has a name of fixed length, one for each canister, path and reply', () => {
  const proven = new ProvenClaims();
  const reply = utf8('reply');
  const names = [
    proven.nameOf(asked, reply),
    proven.nameOf({ ...asked, canisterId: Uint8Array.of(2) }, reply),
    proven.nameOf({ ...asked, url: '/b' }, reply),
    proven.nameOf(asked, utf8('another')),
    proven.nameOf({ ...asked, url: `/${'a'.repeat(10_000)}` }, new Uint8Array(10_000)),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(names.map(({ length }) => length))).toEqual(new Set([32]));
  expect(proven.nameOf({ ...asked, url: '/a?another=query' }, reply)).toBe(names[0]);
});

test('only what holds for every request of its path is kept', () => {
  const proven = new ProvenClaims();
  proven.keep('of one request', { ...claim, isOfPath: false });
  proven.keep('of the path', claim);
  expect(proven.get('of one request')).toBeUndefined();
  expect(proven.get('of the path')).toEqual(claim);
});

test('no part of a larger buffer is kept, and no more than 4,096 claims', () => {
  const proven = new ProvenClaims();
  const large = new Uint8Array(1_000_000);
  proven.keep('0', { ...claim, signature: large.subarray(0, 48), stateRootHash: large.subarray(48, 80) });
  expect(proven.get('0')?.signature.buffer.byteLength).toBe(48);
  expect(proven.get('0')?.stateRootHash.buffer.byteLength).toBe(32);
  for (let index = 1; index <= 4_096; index += 1) proven.keep(`${index}`, claim);
  expect(proven.get('0')).toBeUndefined();
  expect(proven.get('1')).toEqual(claim);
});
