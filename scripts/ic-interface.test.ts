import { readFileSync } from 'node:fs';
import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import { typesModule } from './ic-types.ts';
import {
  interfaceDifferences,
  interfaceDigest,
  SPECIFIED_DIGEST,
  statedMethods,
  tableMethods,
} from './ic-interface.ts';

const OWN = new URL('../packages/ic/src/ic.did', import.meta.url);
const TYPES = new URL('../packages/ic/src/generated/ic-interface.ts', import.meta.url);

describe('interface of the management canister', () => {
  test('the table has the methods and types of ic.did, and the types made of it are up to date', () => {
    const did = readFileSync(OWN, 'utf8');
    expect(interfaceDifferences(statedMethods(did))).toEqual([]);
    expect(readFileSync(TYPES, 'utf8')).toBe(typesModule(did));
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

describe('types that are made from a .did text', () => {
  const made = (did: string): string => typesModule(did);

  test('values and codecs of named types, arguments and results', () => {
    const text = made(`
      type pair = record { a : nat; b : opt vec text };
      service : { f : (pair) -> (variant { none; some : blob }) query; g : () -> () }
    `);
    expect(text).toContain('  pair: {\n    a: bigint;\n    b: [] | [string[]];\n  };');
    expect(text).toContain('const pair = IDL.Record({\n  a: IDL.Nat,\n  b: IDL.Opt(IDL.Vec(IDL.Text)),\n});');
    expect(text).toContain("    arg: IcTypes['pair'];\n    result: { none: null } | { some: Uint8Array };");
    expect(text).toContain('  g: {\n    arg: undefined,\n    result: undefined,\n  },');
  });

  test.each([
    ['a type before its definition', 'type a = opt b; type b = nat; service : {}', 'b is used before'],
    ['a type that is not used so far', 'type a = int; service : {}', 'No way to write int'],
    ['fields without names', 'type a = record { nat; text }; service : {}', 'A field has no name'],
    ['two arguments', 'service : { f : (nat, nat) -> () }', 'f does not have one argument'],
    ['no service', 'type a = nat;', 'no service'],
  ])('%s is refused', (_what, did, says) => {
    expect(() => made(did)).toThrow(says);
  });
});
