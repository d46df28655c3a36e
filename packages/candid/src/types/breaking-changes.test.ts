import { IDL } from '@icp-sdk/core/candid';
import { assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { didText } from '../../test/arbitrary.ts';
import { breakingChanges } from './interface-changes.ts';
import { CandidError } from '../errors.ts';
import { parseService } from './service.ts';
import { SubtypeCheck } from './subtype.ts';

const method = (signature: string, types = '') => `${types} service : { m : ${signature} }`;

test.each([
  ['the same service', '(nat) -> (text) query', '(nat) -> (text) query'],
  ['a wider argument', '(nat) -> ()', '(int) -> ()'],
  ['a narrower result', '() -> (int)', '() -> (nat)'],
  ['a new optional argument', '(nat) -> ()', '(nat, opt text) -> ()'],
  ['an argument that is not read any more', '(nat, text) -> ()', '(nat) -> ()'],
  ['one more result', '() -> ()', '() -> (nat)'],
  ['a result that was optional is gone', '() -> (nat, opt text)', '() -> (nat)'],
  [
    'a new optional field of an argument',
    '(record { a : nat }) -> ()',
    '(record { a : nat; b : opt nat }) -> ()',
  ],
  ['a field more in a result', '() -> (record { a : nat })', '() -> (record { a : nat; b : text })'],
  ['a case more in an argument', '(variant { a }) -> ()', '(variant { a; b }) -> ()'],
  ['a case less in a result', '() -> (variant { a; b })', '() -> (variant { a })'],
  ['an argument made optional', '(nat) -> ()', '(opt nat) -> ()'],
  ['another content of opt, which is read as null', '(opt nat) -> ()', '(opt text) -> ()'],
  ['a field by its number', '(record { a : nat }) -> ()', '(record { 97 : nat }) -> ()'],
  ['anything for reserved', '(text) -> ()', '(reserved) -> ()'],
  ['a service for a principal', '(service { x : () -> () }) -> ()', '(principal) -> ()'],
  ['a function that takes more', '() -> (func (nat) -> ())', '() -> (func (int) -> ())'],
])('compatible: %s', (_what, installed, next) => {
  expect(breakingChanges(method(installed), method(next))).toEqual([]);
});

const refuses = 'The method `m` refuses calls that were right before: ';
const answers = 'The method `m` answers what its callers do not understand: ';

test.each([
  ['(int) -> ()', '(nat) -> ()', `${refuses}in argument 1, \`int\` comes where \`nat\` is expected.`],
  [
    '(nat) -> ()',
    '(nat, text) -> ()',
    `${refuses}argument 2 of type \`text\` is expected, and not optional.`,
  ],
  [
    '(record { a : nat }) -> ()',
    '(record { a : nat; b : nat }) -> ()',
    `${refuses}in argument 1, field b of type \`nat\` is expected, and not optional.`,
  ],
  [
    '(vec record { owner : text }) -> ()',
    '(vec record { owner : principal }) -> ()',
    `${refuses}in argument 1, element, field owner, \`text\` comes where \`principal\` is expected.`,
  ],
  ['() -> (nat)', '() -> ()', `${answers}result 1 of type \`nat\` is expected, and not optional.`],
  [
    '() -> (variant { a })',
    '() -> (variant { a; b })',
    `${answers}in result 1, the case \`b\` of the variant is not expected.`,
  ],
  ['() -> (nat)', '() -> (opt nat)', `${answers}in result 1, \`opt nat\` comes where \`nat\` is expected.`],
  ['() -> () query', '() -> ()', 'The method `m` was a query and is an update now.'],
  [
    '(func () -> ()) -> ()',
    '(func () -> () query) -> ()',
    `${refuses}in argument 1, a function of mode update comes where query is expected.`,
  ],
  [
    '(service {}) -> ()',
    '(service { x : () -> () }) -> ()',
    `${refuses}in argument 1, the method \`x\` of the service is missing.`,
  ],
  [
    '(principal) -> ()',
    '(service {}) -> ()',
    `${refuses}in argument 1, \`principal\` comes where \`service {}\` is expected.`,
  ],
])('breaking: %s to %s', (installed, next, reason) => {
  expect(breakingChanges(method(installed), method(next))).toEqual([reason]);
});

test('a method that is gone is named, a new one is no break', () => {
  expect(
    breakingChanges('service : { a : () -> (); b : () -> () }', 'service : { b : () -> (); c : () -> () }'),
  ).toEqual(['The method `a` is gone.']);
});

test('recursive types are compared to the end', () => {
  const list = (head: string) => `type list = opt record { head : ${head}; tail : list };`;
  const tree = (leaf: string) => `type tree = variant { leaf : ${leaf}; node : record { tree; tree } };`;
  expect(
    breakingChanges(method('(list) -> (list)', list('nat')), method('(list) -> (list)', list('nat'))),
  ).toEqual([]);
  expect(breakingChanges(method('(tree) -> ()', tree('nat')), method('(tree) -> ()', tree('int')))).toEqual(
    [],
  );
  expect(breakingChanges(method('() -> (tree)', tree('nat')), method('() -> (tree)', tree('int')))).toEqual([
    `${answers}in result 1, case leaf, \`int\` comes where \`nat\` is expected.`,
  ]);
});

test('a misfit found once is found again: nothing assumed on the way stays', () => {
  const types = (leaf: string) => `type t = record { next : vec t; value : ${leaf} };`;
  const service = 'service : { a : () -> (t); b : () -> (vec t) }';
  expect(breakingChanges(types('nat') + service, types('int') + service)).toHaveLength(2);
});

test('texts that cannot be read are errors of Candid', () => {
  expect(() => breakingChanges('service : {', 'service : {}')).toThrow(CandidError);
});

test('agrees with the IDL library on random services', () => {
  assert(
    property(didText(), didText(), (one, other) => {
      const [left, right] = [parseService(one), parseService(other)];
      for (const [index, method] of left.methods.entries()) {
        const twin = right.methods[index];
        const [sent, expected] = [method.args[0], twin?.args[0]];
        if (sent === undefined || expected === undefined) continue;
        const fits = new SubtypeCheck(new Map()).misfit(sent, expected) === undefined;
        expect(fits).toBe(IDL.subtype(sent, expected));
        expect(new SubtypeCheck(new Map()).misfit(sent, sent)).toBeUndefined();
      }
    }),
    { numRuns: 60 },
  );
}, 20_000);
