import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typedValue } from '../../test/arbitrary.ts';
import { parseService } from '../types/service.ts';
import { printValue, printValues } from './value-print.ts';
import { encodeText, parseValues } from './value-text.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const principal = Principal.fromText(ID);
const list =
  parseService('type L = opt record { head : nat8; tail : L }; service : { f : (L) -> () }').methods[0]
    ?.args[0] ?? IDL.Null;

const READ: [text: string, type: IDL.Type, value: unknown][] = [
  ['42', IDL.Nat, 42n],
  ['1_000_000', IDL.Nat, 1_000_000n],
  ['0xff', IDL.Nat8, 255],
  ['-0x80', IDL.Int8, -128],
  ['+5', IDL.Int, 5n],
  ['18446744073709551615', IDL.Nat64, 2n ** 64n - 1n],
  ['42 : nat', IDL.Int, 42n],
  ['(42 : nat8)', IDL.Nat8, 42],
  ['1.5', IDL.Float64, 1.5],
  ['-1e-3', IDL.Float32, Math.fround(-0.001)],
  ['3', IDL.Float64, 3],
  ['-inf', IDL.Float64, Number.NEGATIVE_INFINITY],
  ['true', IDL.Bool, true],
  ['null', IDL.Null, null],
  ['null', IDL.Opt(IDL.Nat), []],
  ['opt 5', IDL.Opt(IDL.Nat), [5n]],
  ['opt opt null', IDL.Opt(IDL.Opt(IDL.Opt(IDL.Nat))), [[[]]]],
  ['5', IDL.Opt(IDL.Nat), [5n]],
  ['"a\\n\\u{1f600}\\41"', IDL.Text, 'a\n😀A'],
  ['blob "\\de\\ad~"', IDL.Vec(IDL.Nat8), Uint8Array.of(0xde, 0xad, 0x7e)],
  ['vec { 1; 2 : nat8; 0xff }', IDL.Vec(IDL.Nat8), Uint8Array.of(1, 2, 255)],
  ['vec { "a"; "b"; }', IDL.Vec(IDL.Text), ['a', 'b']],
  [
    'record { a = 1; "b c" = "x"; 7 = true }',
    IDL.Record({ a: IDL.Nat, 'b c': IDL.Text, _7_: IDL.Bool }),
    { a: 1n, 'b c': 'x', _7_: true },
  ],
  ['record { 97 = 1 }', IDL.Record({ a: IDL.Nat }), { a: 1n }],
  [
    'record { a = 1 }',
    IDL.Record({ a: IDL.Nat, b: IDL.Opt(IDL.Text), c: IDL.Null }),
    { a: 1n, b: [], c: null },
  ],
  ['record { 1; "x" }', IDL.Tuple(IDL.Nat, IDL.Text), [1n, 'x']],
  ['variant { ok }', IDL.Variant({ ok: IDL.Null, err: IDL.Text }), { ok: null }],
  ['variant { err = "no" }', IDL.Variant({ ok: IDL.Null, err: IDL.Text }), { err: 'no' }],
  [`principal "${ID}"`, IDL.Principal, principal],
  [`service "${ID}"`, IDL.Service({}), principal],
  [`func "${ID}".get`, IDL.Func([], []), [principal, 'get']],
  [`func "${ID}"."odd name"`, IDL.Func([], []), [principal, 'odd name']],
  [
    'opt record { head = 1; tail = opt record { head = 2; tail = null } }',
    list,
    [{ head: 1, tail: [{ head: 2, tail: [] }] }],
  ],
  ['( /* why */ 42 // end\n)', IDL.Nat, 42n],
];

describe('reading values', () => {
  for (const [text, type, value] of READ) {
    test(`${text} as ${type.name}`, () => expect(parseValues(`(${text})`, [type])).toEqual([value]));
  }

  test('a single value needs no brackets, an empty text is no arguments', () => {
    expect(parseValues('42', [IDL.Nat])).toEqual([42n]);
    expect(parseValues('', [])).toEqual([]);
    expect(parseValues('()', [IDL.Opt(IDL.Nat)])).toEqual([[]]);
  });

  test('several arguments encode to what the library encodes', () => {
    const types = [IDL.Nat, IDL.Text, IDL.Record({ a: IDL.Nat8 })];
    expect(encodeText('(1, "x", record { a = 2 })', types)).toEqual(IDL.encode(types, [1n, 'x', { a: 2 }]));
  });
});

const REFUSED: [text: string, type: IDL.Type, message: RegExp][] = [
  ['256', IDL.Nat8, /argument 1: 256 is outside the range of nat8: it must be between 0 and 255/],
  ['-1', IDL.Nat, /outside the range of nat: it must be 0 or more/],
  ['1.5', IDL.Int, /1\.5 is not a whole number/],
  ['1e39', IDL.Float32, /outside the range of float32/],
  ['300 : nat8', IDL.Nat, /outside the range of nat8/],
  ['"x"', IDL.Nat, /expected nat, but found a text/],
  ['hello', IDL.Text, /a text needs double quotes/],
  ['principal "aaaaa-ab"', IDL.Principal, /"aaaaa-ab" is not a valid principal/],
  ['record { b = 1 }', IDL.Record({ a: IDL.Nat }), /the record has no field b; it has a/],
  ['record {}', IDL.Record({ a: IDL.Nat }), /the field a \(nat\) is missing/],
  ['record { a = 1; a = 2 }', IDL.Record({ a: IDL.Nat }), /field a is given twice/],
  [
    'vec { record { a = "x" } }',
    IDL.Vec(IDL.Record({ a: IDL.Nat })),
    /argument 1, item 1, field a: expected nat/,
  ],
  ['variant { no }', IDL.Variant({ ok: IDL.Null, err: IDL.Text }), /no choice no; it has ok, err/],
  ['1, 2', IDL.Nat, /expected 1 argument, but found 2/],
  ['', IDL.Nat, /argument 1: a value of type nat is missing/],
  ['"\\ff"', IDL.Text, /not valid UTF-8/],
  [`${'opt '.repeat(10_000)}1`, IDL.Nat, /nested deeper/],
];

describe('refusing values', () => {
  for (const [text, type, message] of REFUSED) {
    test(`${text.slice(0, 40)} as ${type.name}`, () =>
      expect(() => parseValues(`(${text})`, [type])).toThrow(message));
  }

  test('a number that would take long to encode', () => {
    expect(() => parseValues(`(${'9'.repeat(300_000)})`, [IDL.Nat])).toThrow(/at most 5000 characters/);
    expect(parseValues(`(${'9'.repeat(5000)})`, [IDL.Nat])).toEqual([10n ** 5000n - 1n]);
  });

  test('the error carries line and column', () => {
    expect(() => parseValues('(\n  record { a = -1 })', [IDL.Record({ a: IDL.Nat })])).toThrow(
      expect.objectContaining({ line: 2, column: 16, path: 'argument 1, field a' }),
    );
  });
});

describe('printing values', { timeout: 30_000 }, () => {
  test('on one line while it fits, else one part per line', () => {
    const type = IDL.Record({ balance: IDL.Nat, owner: IDL.Text });
    expect(printValues([IDL.Nat, type], [1_000n, { balance: 5n, owner: 'x' }])).toBe(
      '(1_000 : nat, record { balance = 5 : nat; owner = "x" })',
    );
    expect(printValue(type, { balance: 5n, owner: 'a long name' }, 30)).toBe(
      'record {\n  balance = 5 : nat;\n  owner = "a long name";\n}',
    );
    expect(printValues([], [])).toBe('()');
  });

  test('fields keep the order of the .did text', () => {
    const type =
      parseService('service : { f : (record { zeta : bool; alpha : bool }) -> () }').methods[0]?.args[0] ??
      IDL.Null;
    expect(printValue(type, { alpha: true, zeta: false })).toBe('record { zeta = false; alpha = true }');
  });

  test('what is printed reads back as the same value', () => {
    fc.assert(
      fc.property(typedValue(), ({ type, value }) => {
        expect(parseValues(printValues([type], [value]), [type])).toEqual([value]);
        expect(parseValues(printValues([type], [value], 10), [type])).toEqual([value]);
      }),
      { numRuns: 200 },
    );
  });

  test('what the library decodes can be printed', () => {
    fc.assert(
      fc.property(typedValue(), ({ type, value }) => {
        const [decoded] = IDL.decode([type], IDL.encode([type], [value]));
        expect(IDL.encode([type], parseValues(printValues([type], [decoded]), [type]))).toEqual(
          IDL.encode([type], [value]),
        );
      }),
      { numRuns: 200 },
    );
  });
});
