import { parseService } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { describe, expect, test } from 'vitest';
import type { CopiedCall } from './copied-call.ts';
import { copiedCall } from './copied-call.testing.ts';
import { quoteScript } from './quote.ts';
import { scriptOf } from './script.ts';

/** What a copied script calls when it runs: the method, its types, and its encoded arguments. */
async function run(call: CopiedCall): Promise<{ name: string; func: IDL.FuncClass; arg: Uint8Array }> {
  const body = scriptOf(call)
    .split('\n')
    .filter((line) => !line.startsWith('import '))
    .join('\n');
  let seen: { name: string; func: IDL.FuncClass; arg: Uint8Array } | undefined;
  const actor = {
    createActor: (service: () => IDL.ServiceClass) => {
      const [[name, func] = []] = service()._fields;
      if (name === undefined || func === undefined) throw new Error('no method');
      const method = (...args: unknown[]): void => {
        seen = { name, func, arg: IDL.encode(func.argTypes, args) };
      };
      return new Proxy({}, { get: (_target, key) => (key === name ? method : undefined) });
    },
  };
  const made = Object.getPrototypeOf(async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  const names = ['Actor', 'HttpAgent', 'IDL', 'Principal', 'identity', 'console'];
  await new made(...names, body)(
    actor,
    { create: async () => ({}) },
    IDL,
    Principal,
    {},
    { log: () => undefined },
  );
  if (!seen) throw new Error('the script called nothing');
  return seen;
}

async function expectSame(did: string, args: string): Promise<void> {
  const call = copiedCall(did, args);
  const { name, func, arg } = await run(call);
  expect(name).toBe(call.method.name);
  expect(arg).toEqual(IDL.encode(call.method.args, [...call.values]));
  expect(func.annotations).toEqual(call.method.mode === 'update' ? [] : [call.method.mode]);
  // The reply is read by the same types.
  const [read, meant] = [func.retTypes, call.method.results].map((types) =>
    types.map((type) => type.display().replaceAll(/rec_\d+/g, 'rec')),
  );
  expect(read).toEqual(meant);
}

describe('a copied script makes the same call', () => {
  test.each([
    ['service : { a : () -> () }', '()'],
    ['service : { a : (text, nat, int, bool, null) -> (nat8) query }', '("Ada", 5, -7, true, null)'],
    [
      'service : { a : (nat8, nat16, nat32, nat64, int8, int64, float32, float64) -> () }',
      '(1, 2, 3, 18_446_744_073_709_551_615, -1, -9_223_372_036_854_775_808, 1.5, -0.0)',
    ],
    ['service : { a : (float64, float64, float64) -> () }', '(inf, -inf, 1e300)'],
    [
      'type P = record { owner : principal; "it\'s" : opt text; data : blob; 7 : nat };' +
        'service : { a : (P, vec P, opt opt nat) -> (P) composite_query }',
      '(record { owner = principal "aaaaa-aa"; "it\'s" = opt "x"; data = blob "\\00\\ff"; 7 = 1 }, vec {}, opt null)',
    ],
    [
      'type Tree = variant { leaf; node : record { Tree; nat; Tree } }; service : { a : (Tree) -> (Tree) query }',
      '(variant { node = record { variant { leaf }; 5; variant { leaf } } })',
    ],
    [
      'type F = func (nat) -> (nat) query; service : { a : (F, service {}) -> () }',
      '(func "aaaaa-aa"."x\'y", service "aaaaa-aa")',
    ],
    [
      'type L = opt record { nat; L }; service : { a : (L) -> (L) }',
      '(opt record { 1; opt record { 2; null } })',
    ],
  ])('%s', expectSame);
});

describe('what others wrote stays text', () => {
  const hostile = [
    `"]; process.exit(); ["`,
    "'; process.exit()//",
    '`${process.exit()}`',
    '*/ process.exit() /*',
    '\n process.exit() \r',
    '\u2028process.exit()\u2029',
    '</script><script>',
    String.raw`\u0022\x22\\`,
    '\u202Eevil',
    '__proto__',
    'constructor',
  ];
  test.each(hostile)('%j as a text and as the name of a method and of a field', async (text) => {
    const name = candidName(text);
    const did = `service : { ${name} : (record { ${name} : text }) -> () }`;
    await expectSame(did, `(record { ${name} = ${name} })`);
    expect(scriptOf(copiedCall(did, `(record { ${name} = ${name} })`))).not.toMatch(
      /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u,
    );
  });
  test('a string is one string', () => {
    expect(quoteScript('a"\n\u2028\u202e\u{e0001}')).toBe(String.raw`"a\"\n\u2028\u202e\udb40\udc01"`);
  });
});

/** A text in the quotes of Candid. */
function candidName(text: string): string {
  const escaped = [...text].map((one) =>
    /[\w ]/.test(one) ? one : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${escaped.join('')}"`;
}

test('types that use one another many times are written once each', () => {
  const chain = Array.from(
    { length: 60 },
    (_, index) => `type T${index} = record { a : T${index + 1}; b : T${index + 1} };`,
  );
  const did = `${chain.join('\n')} type T60 = record {}; service : { a : (opt T0) -> (T0) }`;
  expect(parseService(did).methods).toHaveLength(1);
  expect(scriptOf(copiedCall(did, '(null)')).length).toBeLessThan(10_000);
});
