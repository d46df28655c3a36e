import { parseService, parseValues, printValues } from '@cannery/candid';
import type { IDL } from '@icp-sdk/core/candid';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyArgs, randomArgs, readArgs, textOfArgs, withState, withText } from './read-args.ts';
import { randomState } from './random-state.ts';
import { stateOfValue } from './state-of-value.ts';
import { toValues } from './to-value.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const DID = `
  type Flavour = variant { sweet; salty : record { grams : nat8 }; mixed : record { Flavour; Flavour } };
  type List = opt record { head : int; tail : List };
  type Ask = func (nat) -> (text) query;
  type Endless = record { self : Endless; number : nat };
  type W0 = record { nat; nat; nat; nat }; type W1 = record { W0; W0; W0; W0 }; type W2 = record { W1; W1; W1; W1 };
  type W3 = record { W2; W2; W2; W2 }; type W4 = record { W3; W3; W3; W3 }; type Wide = record { W4; W4; W4; W4 };
  service : {
    all : (
      record { name : text; tags : vec text; place : record { nat16; text }; "odd name" : opt opt nat },
      Flavour, List, blob, vec float32, principal, Ask, service { ask : Ask }, reserved, null, bool, int64
    ) -> ();
    endless : (record { self : Endless; number : nat }) -> ();
    wide : (Wide) -> ();
  };`;
const { methods } = parseService(DID);
const argsOf = (name: string): IDL.Type[] => methods.find((method) => method.name === name)?.args ?? [];
const all = argsOf('all');
const TEXT = `(
  record { name = "a \\"b\\" 🍞"; tags = vec { ""; "x" }; place = record { 7; "y" }; "odd name" = opt opt 3 },
  variant { mixed = record { variant { sweet }; variant { salty = record { grams = 255 } } } },
  opt record { head = -1; tail = opt record { head = 99999999999999999999; tail = null } },
  blob "\\00\\ff", vec { nan; inf; -inf; -0.0; 1.5 }, principal "${ID}", func "${ID}".ask, service "${ID}",
  null, null, true, -9_223_372_036_854_775_808
)`;

/** Numbers that look random and are the same each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('form and text say the same', () => {
  test('a text of every type fills the form, and the form gives the text back', () => {
    const filled = withText(all, emptyArgs(all), TEXT);
    expect(filled.typed).toEqual({ source: TEXT, mistake: undefined });
    const read = readArgs(all, filled);
    expect(read).toMatchObject({ ok: true, values: parseValues(TEXT, all) });
    // After a change in the form the text follows it.
    const changed = withState(filled, 10, { kind: 'bool', value: false });
    expect(parseValues(textOfArgs(all, changed), all)).toEqual(
      parseValues(TEXT.replace('true', 'false'), all),
    );
  });

  test('a text with a mistake leaves the form as it is and says where', () => {
    const filled = withText(all, emptyArgs(all), TEXT);
    const broken = withText(all, filled, TEXT.replace('grams = 255', 'grams = 256'));
    expect(broken.states).toBe(filled.states);
    expect(broken.typed?.mistake).toMatchObject({
      message: expect.stringContaining('256 is outside the range of nat8'),
      at: { line: 3, column: (TEXT.split('\n')[2] ?? '').indexOf('255') + 1 },
    });
    expect(readArgs(all, broken)).toEqual({ ok: false, input: broken });
    expect(withText(all, broken, TEXT).typed?.mistake).toBeUndefined();
  });

  test('what the form lacks is a hole in the text, and a mistake at its place', () => {
    const text = textOfArgs(all, emptyArgs(all));
    expect(text).toContain('place = record { _; "" }');
    expect(text).toContain('_,');
    const typed = withText(all, emptyArgs(all), text);
    expect(typed.typed?.mistake?.at).toBeDefined();
  });

  test('too many and missing arguments have no place but words', () => {
    expect(withText(all, emptyArgs(all), '()').typed?.mistake).toMatchObject({
      at: undefined,
      message: expect.stringContaining('is missing'),
    });
  });

  test('a list of 5,000 and a blob of 100,000 bytes', () => {
    const types = parseService('service : { f : (vec nat, blob) -> () }').methods[0]?.args ?? [];
    const values = [
      Array.from({ length: 5000 }, (_, index) => BigInt(index)),
      new Uint8Array(100_000).fill(7),
    ];
    const filled = withText(types, emptyArgs(types), printValues(types, values));
    expect(readArgs(types, filled)).toMatchObject({ ok: true, values });
  });
});

describe('random arguments', () => {
  test('are always ones the method takes, and the same as their text', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const states = all.map((type) => randomState(type, seeded(seed)));
        const result = toValues(all, states);
        expect(result.ok).toBe(true);
        const text = printValues(all, result.values);
        const again = all.map((type, index) => stateOfValue(type, parseValues(text, all)[index]));
        expect(toValues(all, again).values).toEqual(result.values);
      }),
      { numRuns: 100 },
    );
  });

  test('come to an end for a type without one, and for one that is very wide', () => {
    expect(readArgs(argsOf('endless'), randomArgs(argsOf('endless'))).ok).toBe(false);
    expect(JSON.stringify(randomArgs(argsOf('wide')).states).length).toBeLessThan(60_000);
  });
});
