import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import { formatType, formatTypeList } from './format.ts';
import { parseInitArgs, parseService } from './service.ts';

const LEDGER = `
// Not a comment of the method.

type Account = record { owner : principal; subaccount : opt blob };
type Tree = variant { leaf; node : record { Tree; Tree } };
service : (record { name : text }) -> {
  // The balance of an account.
  // In the smallest unit.
  balance_of : (account : Account) -> (nat) query;
  "odd name" : (nat, "how much" : Tree) -> (variant { ok : nat; err : text });
}`;

describe('a service', () => {
  const service = parseService(LEDGER);

  test('lists its methods as written', () => {
    expect(
      service.methods.map(({ name, mode, signature, argNames, argTexts, docs }) => ({
        name,
        mode,
        signature,
        argNames,
        argTexts,
        docs,
      })),
    ).toEqual([
      {
        name: 'balance_of',
        mode: 'query',
        signature: '(account : Account) -> (nat) query',
        argNames: ['account'],
        argTexts: ['Account'],
        docs: ['The balance of an account.', 'In the smallest unit.'],
      },
      {
        name: 'odd name',
        mode: 'update',
        signature: '(nat, "how much" : Tree) -> (variant { ok : nat; err : text })',
        argNames: [undefined, 'how much'],
        argTexts: ['nat', 'Tree'],
        docs: [],
      },
    ]);
    expect(service.initArgs?.text).toBe('(record { name : text })');
    expect(service.types[0]).toEqual({
      name: 'Account',
      text: 'record { owner : principal; subaccount : opt blob }',
    });
  });

  test('prints its types with their names inside', () => {
    const tree = service.methods[1]?.args[1] ?? IDL.Null;
    expect(formatType(tree, service.typeNames, true)).toBe('Tree');
    expect(formatType(tree, service.typeNames)).toBe('variant { leaf; node : record { Tree; Tree } }');
    expect(formatType(IDL.Vec(tree), service.typeNames)).toBe('vec Tree');
    expect(formatType(tree)).toMatch(/^variant \{ leaf; node : record \{ rec_\d+; rec_\d+ \} \}$/);
  });
});

describe('install arguments', () => {
  test('that contain themselves are printed with their definitions, others in full', () => {
    const print = (did: string): string => {
      const { initArgs, typeNames } = parseService(did);
      return formatTypeList(initArgs?.types ?? [], typeNames);
    };
    expect(print('type A = record { a : nat }; service : (A, opt A) -> {}')).toBe(
      '(record { a : nat }, opt record { a : nat })',
    );
    expect(print('service : () -> {}')).toBe('()');
    const tree = 'type Tree = variant { leaf; node : record { Tree; Tree } };';
    expect(print(`${tree} service : (nat, vec Tree) -> {}`)).toBe(
      '(nat, vec Tree), where type Tree = variant { leaf; node : record { Tree; Tree } }',
    );
    // Two that need each other, behind a name that is none of them.
    const both =
      'type A = record { b : opt B }; type B = record { a : vec A; n : Small }; type Small = nat8;';
    expect(print(`${both} service : (record { first : A }) -> {}`)).toBe(
      '(record { first : A }), where type A = record { b : opt record { a : vec A; n : nat8 } }',
    );
    const many = Array.from({ length: 30 }, (_, n) => `type T${n} = record { next : opt T${n} };`).join(' ');
    const list = Array.from({ length: 30 }, (_, n) => `T${n}`).join(', ');
    expect(print(`${many} service : (${list}) -> {}`)).toMatch(/type T19 = record \{ next : opt T19 \}; …$/);
  });

  test('from candid:args metadata, with and without definitions', () => {
    expect(parseInitArgs('()').types).toEqual([]);
    expect(parseInitArgs('(nat, owner : principal)')).toMatchObject({
      text: '(nat, owner : principal)',
      names: [undefined, 'owner'],
    });
    expect(
      parseInitArgs('type A = record { service_id : nat };\n(A)').types.map((type) => type.name),
    ).toEqual(['record {service_id:nat}']);
  });

  test('from a whole .did text', () => {
    expect(parseInitArgs(LEDGER).text).toBe('(record { name : text })');
    expect(parseInitArgs('service : {}').types).toEqual([]);
  });

  test('nonsense is refused', () => {
    expect(() => parseInitArgs('nat')).toThrow(/expected '\(' with the install arguments, but found 'nat'/);
  });
});
