import { readFileSync } from 'node:fs';
import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import {
  interfaceDifferences,
  interfaceDigest,
  interfaceText,
  SPECIFIED_DIGEST,
  statedMethods,
  tableMethods,
} from './ic-interface.ts';

const OWN = new URL('../packages/network/src/management/ic.did', import.meta.url);

describe('interface of the management canister', () => {
  test('our statement of it is the table; write it again with scripts/check-ic-did.ts --write', () => {
    expect(readFileSync(OWN, 'utf8')).toBe(interfaceText());
    expect(interfaceDifferences(statedMethods(interfaceText()))).toEqual([]);
  });

  test('it is that of the official ic.did of interface specification 0.66, in all 43 methods', () => {
    expect(interfaceDigest(tableMethods())).toBe(SPECIFIED_DIGEST);
    expect(tableMethods()).toHaveLength(43);
    expect(
      tableMethods()
        .filter(({ isQuery }) => isQuery)
        .map(({ name }) => name),
    ).toEqual(['canister_metrics', 'canister_status', 'fetch_canister_logs', 'list_canisters']);
  });

  test('its digest does not depend on how it is written, but on every type in it', () => {
    const digest = (did: string): string => interfaceDigest(statedMethods(did));
    const plain = digest('service : { f : (record { a : nat; b : opt text }) -> () query }');
    expect(digest('type r = record { b : opt text; a : nat }; service : { f : (r) -> () query }')).toBe(
      plain,
    );
    expect(digest('service : { f : (record { a : nat; b : text }) -> () query }')).not.toBe(plain);
    expect(digest('service : { f : (record { a : nat; b : opt text }) -> () }')).not.toBe(plain);
    expect(digest('service : { f : (record { a : nat; b : opt text }) -> (nat) query }')).not.toBe(plain);
  });

  test('differences are found where they are, and extensions are none', () => {
    const record = (fields: Record<string, IDL.Type>) => [IDL.Record(fields)];
    const method = (args: IDL.Type[], isQuery = false, name = 'm') => [{ name, isQuery, args, results: [] }];
    const differ = (ours: IDL.Type[], theirs: IDL.Type[]) =>
      interfaceDifferences(method(theirs), method(ours));
    expect(differ(record({ a: IDL.Nat }), record({ a: IDL.Nat }))).toEqual([]);
    const filtered = method(record({ a: IDL.Nat, filter: IDL.Nat }), true, 'fetch_canister_logs');
    const specified = method(record({ a: IDL.Nat }), true, 'fetch_canister_logs');
    expect(interfaceDifferences(specified, filtered)).toEqual([]);
    expect(interfaceDigest(filtered)).toBe(interfaceDigest(specified));
    expect(differ(record({ a: IDL.Nat, filter: IDL.Nat }), record({ a: IDL.Nat }))).toEqual([
      'm argument.filter: only we have it',
    ]);
    expect(differ(record({ a: IDL.Nat, b: IDL.Nat }), record({ a: IDL.Nat64 }))).toEqual([
      'm argument.b: only we have it',
      'm argument.a: we have nat, not nat64',
    ]);
    expect(differ([], record({ a: IDL.Nat }))).toEqual(['m arguments: we have 0, not 1']);
    expect(interfaceDifferences(method([], true), method([]))).toEqual(['m: we have no query']);
    expect(interfaceDifferences([], method([]))).toEqual(['m: only we have it']);
    expect(interfaceDifferences(method([]), [])).toEqual(['m: we lack it']);
  });
});
