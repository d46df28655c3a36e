import { fieldsOf, parseService, parseValues, printValues, quoteText } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../../packages/network/test/expect-linear.ts';
import { scriptValue } from './copy/script.ts';
import { initialState } from './form/initial-state.ts';
import { emptyArgs, readArgs, textOfArgs, withText } from './form/read-args.ts';
import { firstWrongPart } from './inputs/part.ts';
import { readReply } from './reply/decode-reply.ts';
import { jsonText } from './reply/json.ts';
import { treeNode } from './reply/tree-node.ts';

/** How much larger the largest input is than the size that a row names. */
const STEP = 8;
/** Processor time of the largest input. */
const MOST_MILLIS = 5_000;

const count = <Item>(length: number, of: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => of(i));
const argsOf = (did: string): IDL.Type[] => parseService(did).methods[0]?.args ?? [];
const recordOf = (size: number): IDL.Type[] =>
  argsOf(`service : { f : (record { ${count(size, (i) => `f${i} : nat`).join(';')} }) -> () }`);
const variantOf = (size: number): IDL.Type[] =>
  argsOf(`service : { f : (vec variant { ${count(size, (i) => `c${i}`).join(';')} }) -> () }`);

/** Each reader of what a stranger wrote: prepares an input of a size, and answers what reads it. */
const readers: readonly (readonly [name: string, size: number, prepare: (size: number) => () => unknown])[] =
  [
    [
      'methods of an interface',
      1_000,
      (size) => {
        const did = `service : { ${count(size, (i) => `m${i} : (nat, record { a : text }) -> (opt nat) query`).join(';')} }`;
        return () => parseService(did);
      },
    ],
    ['fields of a record type', 2_000, (size) => () => recordOf(size)],
    ['choices of a variant type', 2_000, (size) => () => variantOf(size)],
    [
      'named types',
      1_000,
      (size) => {
        const did = `${count(size, (i) => `type T${i} = record { a : nat; b : text };`).join('')} service : {}`;
        return () => parseService(did);
      },
    ],
    [
      'comments of an interface',
      4_000,
      (size) => {
        const did = `service : { ${count(size, (i) => `// line ${i}\n`).join('')} f : () -> () }`;
        return () => parseService(did);
      },
    ],
    [
      'the form of a wide record',
      2_000,
      (size) => {
        const [type] = recordOf(size);
        return () => type && initialState(type);
      },
    ],
    [
      'the text of a wide record, into the form and back',
      1_000,
      (size) => {
        const args = recordOf(size);
        const text = `(record { ${count(size, (i) => `f${i} = ${i}`).join(';')} })`;
        return () => {
          const input = withText(args, emptyArgs(args), text);
          expect(readArgs(args, input).ok).toBe(true);
          textOfArgs(args, { ...input, typed: undefined });
        };
      },
    ],
    [
      'the page of the first mistake',
      10_000,
      (size) => {
        const errors = new Map(count(size, (i) => [`0/${i}`, 'wrong'] as const));
        return () => [firstWrongPart(errors, '1'), firstWrongPart(errors, '0')];
      },
    ],
    [
      'a list as a reply: decoded, as text, JSON, tree and script',
      2_000,
      (size) => {
        const types = [IDL.Vec(IDL.Record({ a: IDL.Nat, b: IDL.Text }))];
        const bytes = new Uint8Array(IDL.encode(types, [count(size, (i) => ({ a: BigInt(i), b: 'x' }))]));
        return () => {
          const { values } = readReply(types, bytes);
          printValues(types, values);
          jsonText(types, values);
          for (const type of types) {
            treeNode(type, values[0]).parts(0, 100);
            scriptValue(type, values[0]);
          }
        };
      },
    ],
    [
      'choices in a list, of a variant of 50',
      1_000,
      (size) => {
        const types = variantOf(50);
        const values = parseValues(
          `(vec { ${count(size, (i) => `variant { c${i % 50} }`).join(';')} })`,
          types,
        );
        return () => [printValues(types, values), jsonText(types, values)];
      },
    ],
    [
      'a quoted name',
      20_000,
      (size) => {
        const word = quoteText('\u200b"x'.repeat(size));
        return () => parseService(`service : { ${word} : () -> () }`);
      },
    ],
  ];

test.each(readers)('%s: twice as much takes no more than in proportion', async (_name, size, prepare) => {
  await expectLinear({ input: prepare, read: (run) => run(), cap: size * STEP }, MOST_MILLIS);
});

test('a text of more words than are read is refused at once, and a wide choice is found in one step', () => {
  expect(() => parseService(`service : { f : (record { ${'nat;'.repeat(260_000)} }) -> () }`)).toThrow(
    '500,000 words',
  );
  const [list] = variantOf(10);
  expect(
    list instanceof IDL.VecClass && list._type instanceof IDL.VariantClass && fieldsOf(list._type),
  ).toHaveLength(10);
});

test('a message that makes its reader compare very many fields is refused before it is decoded', () => {
  const wide = argsOf(
    `service : { f : (vec record { ${count(5_000, (i) => `f${i} : opt nat`).join(';')} }) -> () }`,
  );
  const narrow = [IDL.Vec(IDL.Record({}))];
  const bytes = new Uint8Array(IDL.encode(narrow, [count(4_200, () => ({}))]));
  expect(() => readReply(wide, bytes)).toThrow('too many fields');
  const few = new Uint8Array(IDL.encode(narrow, [count(10, () => ({}))]));
  expect(readReply(wide, few).values).toHaveLength(1);
});
