import { parseService } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { describe, expect, test } from 'vitest';
import { addItem, choose, removeItem, setChoice, setItem, setPart, toggleOpt } from './edit.ts';
import type { FieldState } from './field-state.ts';
import { initialState } from './initial-state.ts';
import { toValues } from './to-value.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const principal = Principal.fromText(ID);
const text = (entered: string): FieldState => ({ kind: 'text', text: entered });
const blob = (source: 'hex' | 'text', entered: string): FieldState => ({
  kind: 'blob',
  source,
  text: entered,
  file: undefined,
});
const typeOf = (did: string): IDL.Type => parseService(did).methods[0]?.args[0] ?? IDL.Null;

function valueOf(type: IDL.Type, state: FieldState): unknown {
  const result = toValues([type], [state]);
  if (!result.ok)
    throw new Error([...result.errors].map(([path, message]) => `${path}: ${message}`).join('; '));
  return result.values[0];
}

function errorsOf(type: IDL.Type, state: FieldState): Record<string, string> {
  const result = toValues([type], [state]);
  return result.ok ? {} : Object.fromEntries(result.errors);
}

function as<Kind extends FieldState['kind']>(
  state: FieldState,
  kind: Kind,
): Extract<FieldState, { kind: Kind }> {
  if (state.kind !== kind) throw new Error(`expected ${kind}, found ${state.kind}`);
  return state as Extract<FieldState, { kind: Kind }>;
}

describe('what is typed becomes the value the library encodes', () => {
  const cases: [type: IDL.Type, state: FieldState, value: unknown][] = [
    [IDL.Nat, text(' 1_000_000_000_000_000_000_000 '), 10n ** 21n],
    [IDL.Int, text('-5'), -5n],
    [IDL.Int, text('0xff'), 255n],
    [IDL.Nat8, text('255'), 255],
    [IDL.Int64, text('-9223372036854775808'), -(2n ** 63n)],
    [IDL.Nat64, text('18446744073709551615'), 2n ** 64n - 1n],
    [IDL.Float64, text('1e-3'), 0.001],
    [IDL.Float32, text('0.1'), Math.fround(0.1)],
    [IDL.Text, text('  as it is \n'), '  as it is \n'],
    [IDL.Text, text(''), ''],
    [IDL.Bool, { kind: 'bool', value: true }, true],
    [IDL.Null, { kind: 'fixed' }, null],
    [IDL.Principal, text(` ${ID} `), principal],
    [IDL.Service({}), text(ID), principal],
    [IDL.Func([], []), { kind: 'func', canister: ID, method: 'get' }, [principal, 'get']],
    [IDL.Vec(IDL.Nat8), blob('hex', '0xde:ad BE\nef'), Uint8Array.of(0xde, 0xad, 0xbe, 0xef)],
    [IDL.Vec(IDL.Nat8), blob('hex', ''), new Uint8Array()],
    [IDL.Vec(IDL.Nat8), blob('text', 'é'), Uint8Array.of(0xc3, 0xa9)],
    [
      IDL.Vec(IDL.Nat8),
      {
        kind: 'blob',
        source: 'file',
        text: 'zz',
        file: { name: 'a.bin', size: 2, bytes: Uint8Array.of(1, 2) },
      },
      Uint8Array.of(1, 2),
    ],
  ];
  for (const [type, state, value] of cases) {
    test(`${type.name} from ${JSON.stringify(state)}`, () => {
      expect(valueOf(type, state)).toEqual(value);
      expect(() => IDL.encode([type], [value])).not.toThrow();
    });
  }
});

describe('what cannot be right is explained at its input', () => {
  const cases: [type: IDL.Type, state: FieldState, message: RegExp][] = [
    [IDL.Nat, text('-1'), /Out of range for nat: it must be 0 or more/],
    [IDL.Nat8, text('256'), /between 0 and 255/],
    [IDL.Int8, text('-129'), /between -128 and 127/],
    [IDL.Nat, text(''), /Enter a whole number/],
    [IDL.Nat, text('1.5'), /Enter a whole number/],
    [IDL.Float32, text('1e39'), /too large for float32/],
    [IDL.Float32, text('1e-50'), /too small for float32/],
    [IDL.Float64, text('1e-400'), /Enter a number/],
    [IDL.Float64, text('1,5'), /Enter a number/],
    [IDL.Nat, text('1,000'), /Enter a whole number/],
    [IDL.Nat, text('1 000'), /Enter a whole number/],
    [IDL.Nat, text('1__0'), /Enter a whole number/],
    [IDL.Nat, text('1e3'), /Enter a whole number/],
    [IDL.Nat, text('\uff11'), /Enter a whole number/],
    [IDL.Nat, text('9'.repeat(5_001)), /at most 5000 characters/],
    [IDL.Float64, text('abc'), /Enter a number/],
    [IDL.Principal, text('aaaaa-ab'), /not a valid principal/],
    [IDL.Principal, text(''), /Enter a principal/],
    [IDL.Empty, text(''), /No value of this type exists/],
    [IDL.Vec(IDL.Nat8), blob('hex', 'abc'), /pairs of hexadecimal digits/],
    [IDL.Vec(IDL.Nat8), { kind: 'blob', source: 'file', text: '', file: undefined }, /Choose a file/],
    [IDL.Variant({}), initialState(IDL.Variant({})), /has no choices/],
  ];
  for (const [type, state, message] of cases) {
    test(`${type.name} from ${JSON.stringify(state)}`, () => {
      expect(errorsOf(type, state)).toEqual({ 0: expect.stringMatching(message) });
    });
  }

  test('every mistake is found at once, at its own path', () => {
    const type = typeOf(
      'service : { f : (record { owner : principal; tags : vec nat8; list : vec nat; cb : func () -> () }) -> () }',
    );
    let state = as(initialState(type), 'fields');
    let list = as(state.parts[2] ?? text(''), 'vec');
    list = as(addItem(as(addItem(list, IDL.Nat), 'vec'), IDL.Nat), 'vec');
    state = as(setPart(state, 2, setItem(list, 1, text('7'))), 'fields');
    expect(Object.keys(errorsOf(type, state))).toEqual(['0/0', '0/2/2', '0/3/0', '0/3/1']);
  });
});

describe('composite inputs', () => {
  test('a record keeps the order of its text, a tuple becomes an array', () => {
    const type = typeOf('service : { f : (record { zeta : nat; alpha : record { text; bool } }) -> () }');
    const state = as(initialState(type), 'fields');
    const filled = setPart(state, 0, text('1'));
    const tuple = as(state.parts[1] ?? text(''), 'fields');
    const value = valueOf(type, setPart(as(filled, 'fields'), 1, setPart(tuple, 0, text('x'))));
    expect(value).toEqual({ zeta: 1n, alpha: ['x', false] });
  });

  test('an option is off at first; switched off and on again it keeps what was entered', () => {
    const type = IDL.Opt(IDL.Nat);
    const off = as(initialState(type), 'opt');
    expect(valueOf(type, off)).toEqual([]);
    const on = as(toggleOpt(off, true, IDL.Nat), 'opt');
    expect(on.inner).toEqual(text(''));
    const filled = as({ ...on, inner: text('5') }, 'opt');
    expect(valueOf(type, filled)).toEqual([5n]);
    const again = as(toggleOpt(filled, false, IDL.Nat), 'opt');
    expect(valueOf(type, again)).toEqual([]);
    expect(valueOf(type, toggleOpt(again, true, IDL.Nat))).toEqual([5n]);
  });

  test('items are added and removed without disturbing the others', () => {
    const type = IDL.Vec(IDL.Text);
    let state = as(initialState(type), 'vec');
    for (const entered of ['a', 'b', 'c']) {
      state = as(addItem(state, IDL.Text), 'vec');
      state = as(setItem(state, state.items.at(-1)?.key ?? 0, text(entered)), 'vec');
    }
    expect(valueOf(type, state)).toEqual(['a', 'b', 'c']);
    const fewer = as(removeItem(state, state.items[1]?.key ?? 0), 'vec');
    expect(valueOf(type, fewer)).toEqual(['a', 'c']);
    expect(as(addItem(fewer, IDL.Text), 'vec').items.map(({ key }) => key)).toEqual([1, 3, 4]);
  });

  test('a variant keeps what was entered for each choice', () => {
    const type = typeOf('service : { f : (variant { ok : nat; err : text }) -> () }');
    let state = as(initialState(type), 'variant');
    expect(state.choice).toBe('ok');
    state = as(setChoice(state, text('1')), 'variant');
    state = as(setChoice(as(choose(state, 'err', IDL.Text), 'variant'), text('no')), 'variant');
    expect(valueOf(type, state)).toEqual({ err: 'no' });
    expect(valueOf(type, choose(state, 'ok', IDL.Nat))).toEqual({ ok: 1n });
  });
});

describe('recursive types', () => {
  test('a list opens one element at a time', () => {
    const type = typeOf('type L = opt record { head : nat; tail : L }; service : { f : (L) -> () }');
    const off = as(initialState(type), 'opt');
    const inner = (type as IDL.RecClass).getType() as unknown as IDL.OptClass<unknown>;
    const on = as(toggleOpt(off, true, inner._type), 'opt');
    const node = as(on.inner ?? text(''), 'fields');
    expect(node.parts).toEqual([text(''), { kind: 'opt', some: false, inner: undefined }]);
    expect(valueOf(type, { ...on, inner: setPart(node, 0, text('1')) })).toEqual([{ head: 1n, tail: [] }]);
  });

  test('a variant starts at a choice that ends', () => {
    const type = typeOf(
      'type T = variant { node : record { T; T }; leaf : nat }; service : { f : (T) -> () }',
    );
    const state = as(initialState(type), 'variant');
    expect(state.choice).toBe('leaf');
    expect(valueOf(type, setChoice(state, text('3')))).toEqual({ leaf: 3n });
  });

  test('a part of its own type stays closed and must be opened', () => {
    const type = typeOf('type T = record { self : T; n : nat }; service : { f : (T) -> () }');
    const state = as(initialState(type), 'fields');
    expect(state.parts).toEqual([{ kind: 'collapsed' }, text('')]);
    expect(errorsOf(type, setPart(state, 1, text('1')))).toEqual({ '0/0': 'Open this part and fill it in' });
  });

  test('a type that doubles at every step opens only so far', () => {
    const steps = Array.from(
      { length: 30 },
      (_, index) => `type T${index + 1} = record { a : T${index}; b : T${index} };`,
    );
    const type = typeOf(`type T0 = nat; ${steps.join('')} service : { f : (T30) -> () }`);
    expect(JSON.stringify(initialState(type)).length).toBeLessThan(50_000);
  });
});
