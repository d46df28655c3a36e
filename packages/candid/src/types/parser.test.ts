import { IDL } from '@icp-sdk/core/candid';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { difference, oracle } from '../../test/oracle.ts';
import { didText } from '../../test/arbitrary.ts';
import { labelHash } from './label.ts';
import { parseService } from './service.ts';

const TEXTS: Record<string, string> = {
  'an empty service': 'service : {}',
  'no semicolon at the end': 'type A = nat; service : { get : () -> (A) query }',
  'all primitive types': `service : { f : (null, bool, nat, int, nat8, nat16, nat32, nat64, int8, int16, int32,
    int64, float32, float64, text, reserved, empty, principal, blob) -> () }`,
  'a list': 'type List = opt record { head : int; tail : List }; service : { f : (List) -> (List) query }',
  'mutual recursion': `type Tree = variant { leaf : nat; node : Forest }; type Forest = vec Tree;
    service : { grow : (Forest) -> (Tree); }`,
  'a type without values': 'type T = record { t : T }; service : { f : (T) -> () }',
  'aliases of aliases':
    'type A = B; type B = C; type C = record { a : opt A }; service : { f : (A, B, C) -> () }',
  'odd names': `type A = record { "a b" : nat; "\\u{1f600}" : text; "" : bool; "\\"q\\"" : int; "query" : nat; 7 : nat };
    service : { "odd name" : (A) -> (); "é" : () -> () query; "record" : () -> () }`,
  'number labels':
    'service : { f : (record { 0 : nat; 1 : text }, record { 5 : nat; 0x10 : text; 1_000 : int }) -> () }',
  tuples:
    'service : { f : (record { nat; text }, record { blob; 1 : nat }, record { nat; 5 : text; bool }) -> () }',
  variants: 'service : { f : (variant { a; b : nat; 3; "c d"; nat }) -> (variant {}) }',
  references: `type Callback = func (text) -> () oneway; type Ledger = service { fee : () -> (nat) query; "on" : Callback };
    service : { f : (Callback, Ledger, func () -> () composite_query, service {}) -> (); "cb" : Callback }`,
  'a service that mentions itself': `type S = service { f : F }; type F = func (S) -> (opt F) query; service : S`,
  'install arguments':
    'type Init = record { owner : principal }; service : (Init, opt nat) -> { f : () -> () }',
  'named arguments':
    'service bank : (init : text) -> { pay : (to : principal, "how much" : nat,) -> (ok : bool,) }',
  comments: `// one\n/* two /* nested */ still */ service : { // three\n f : () -> () /* mode */ query; }`,
  modes: 'service : { q : () -> () query; c : () -> () composite_query; o : () -> () oneway; u : () -> () }',
  'a name of a primitive type': 'type nat = text; service : { f : (nat) -> () }',
  'deep nesting': `service : { f : (${'opt vec '.repeat(40)}nat) -> () }`,
  'an http gateway': `type HeaderField = record { text; text };
    type Token = record { key : text; index : nat; sha256 : opt blob };
    type Strategy = variant { Callback : record { callback : func (Token) -> (opt Chunk) query; token : Token } };
    type Chunk = record { body : blob; token : opt Token };
    type Response = record { status_code : nat16; headers : vec HeaderField; body : blob; upgrade : opt bool; streaming_strategy : opt Strategy };
    service : { http_request : (record { url : text; method : text; body : vec nat8; headers : vec HeaderField }) -> (Response) query }`,
};

async function expectAgreement(did: string): Promise<void> {
  const expected = await oracle(did);
  const actual = parseService(did);
  const funcs = actual.methods.map(({ name, mode, args, results }): [string, IDL.FuncClass] => {
    const modes = mode === 'update' ? [] : [mode];
    return [name, IDL.Func(args as IDL.GenericIdlFuncArgs, results as IDL.GenericIdlFuncRets, modes)];
  });
  if (!expected.service) throw new Error('the oracle found no service');
  expect(difference(IDL.Service(Object.fromEntries(funcs)), expected.service)).toBeUndefined();
  const init = actual.initArgs?.types ?? [];
  expect(init.length).toBe(expected.init.length);
  for (const [index, type] of init.entries()) expect(difference(type, expected.init[index]!)).toBeUndefined();
}

describe('a .did text means the same as to the Rust implementation', () => {
  for (const [name, did] of Object.entries(TEXTS)) test(name, () => expectAgreement(did));

  test('a name that looks like an id of the IDL library still goes by its hash', () => {
    const named = parseService('service : { f : (record { "_5_" : nat }) -> () }').methods[0]?.args[0];
    expect(named?.name).toBe(`record {_${labelHash('_5_')}_:nat}`);
  });

  test('random services', { timeout: 30_000 }, async () => {
    await fc.assert(fc.asyncProperty(didText(), expectAgreement), { numRuns: 100 });
  });
});

const WRONG: [name: string, did: string, message: RegExp, line: number, column: number][] = [
  ['unknown type', 'service : {\n  f : (Accuont) -> ()\n}', /the type Accuont is not defined/, 2, 8],
  [
    'unknown type in an unused definition',
    'type A = vec B; service : {}',
    /the type B is not defined/,
    1,
    14,
  ],
  ['alias of itself', 'type A = B; type B = A; service : {}', /only another name for itself/, 1, 6],
  ['type defined twice', 'type A = nat;\ntype A = text; service : {}', /defined twice/, 2, 6],
  [
    'field listed twice',
    'service : { f : (record { a : nat; a : text }) -> () }',
    /field a is listed twice/,
    1,
    36,
  ],
  [
    'fields with one id',
    'service : { f : (record { a : nat; 97 : text }) -> () }',
    /field 97 has the same id as a/,
    1,
    36,
  ],
  ['method listed twice', 'service : { f : () -> (); f : () -> () }', /method f is listed twice/, 1, 27],
  ['method that is no function', 'type N = nat; service : { f : N }', /must be of a function type/, 1, 27],
  ['service that is none', 'type N = nat; service : N', /not a service/, 1, 25],
  ['keyword as a name', 'service : { query : () -> () }', /quoted: "query"/, 1, 13],
  ['keyword as a type', 'service : { f : (query) -> () }', /expected a type, but found 'query'/, 1, 18],
  ['two modes', 'service : { f : () -> () query oneway }', /at most one mode/, 1, 32],
  ['oneway with a result', 'service : { f : () -> (nat) oneway }', /oneway function has no results/, 1, 17],
  ['bracket never closed', 'service : {\n f : () -> ();', /'\{' is never closed/, 1, 11],
  ['text never closed', 'service : { "f : () -> () }', /text is never closed/, 1, 13],
  ['comment never closed', '/* service : {}', /comment is never closed/, 1, 1],
  [
    'missing separator',
    'service : { f : () -> ()\n g : () -> () }',
    /expected ';' or '\}', but found 'g'/,
    2,
    2,
  ],
  [
    'missing separator of definitions',
    'type A = nat type B = nat; service : {}',
    /expected ';' after the definition of A/,
    1,
    14,
  ],
  ['unknown character', 'service : { f : () -> (§) }', /'§' has no meaning/, 1, 24],
  ['unknown escape', 'service : { "a\\q" : () -> () }', /is not an escape/, 1, 15],
  ['surrogate as a character', 'service : { "\\u{d800}" : () -> () }', /not a Unicode character/, 1, 14],
  [
    'field id above 32 bits',
    'service : { f : (record { 4294967296 : nat }) -> () }',
    /at most 4294967295/,
    1,
    27,
  ],
  ['text after the service', 'service : {} type A = nat', /end of the text after the service/, 1, 14],
];

describe('a wrong .did text', () => {
  for (const [name, did, message, line, column] of WRONG) {
    test(`${name}: refused in words, with the place`, async () => {
      expect(() => parseService(did)).toThrow(
        expect.objectContaining({ message: expect.stringMatching(message), line, column }),
      );
      await expect(oracle(did)).rejects.toThrow();
    });
  }

  test('imports are refused with the way out', () => {
    expect(() => parseService('import "ledger.did"; service : {}')).toThrow(
      /put the imported definitions into this text/,
    );
  });

  test('a shorthand field has no id left after the largest one (the oracle wraps to 0)', () => {
    const did = 'service : { f : (record { 4294967295 : nat; text }) -> () }';
    expect(() => parseService(did)).toThrow(/at most 4294967295/);
  });

  test('definitions without a service', () => {
    expect(() => parseService('type A = nat')).toThrow('types, but no service');
  });

  test('nesting and chains that would exhaust the stack are refused', () => {
    expect(() => parseService(`service : { f : (${'opt '.repeat(100_000)}nat) -> () }`)).toThrow(
      /nested deeper/,
    );
    const chain = Array.from({ length: 5_000 }, (_, index) => `type A${index} = opt A${index + 1};`).join('');
    expect(() => parseService(`${chain} type A5000 = nat; service : {}`)).toThrow(/define one another/);
  });

  test('types that double at every step neither hang the parser nor the encoder', () => {
    const steps = Array.from(
      { length: 40 },
      (_, index) => `type T${index + 1} = record { a : opt T${index}; b : opt T${index} };`,
    );
    const service = parseService(
      `type T0 = record { a : nat }; ${steps.join('')} service : { f : (T40) -> () }`,
    );
    const [method] = service.methods;
    expect(IDL.encode(method?.args ?? [], [{ a: [], b: [] }]).length).toBeLessThan(2_000);
  });
});
