import { parseService, quoteText } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import { scriptValue } from '../copy/script.ts';
import { decodeReply } from '../reply/decode-reply.ts';
import { jsonText } from '../reply/json.ts';
import { treeNode } from '../reply/tree-node.ts';
import { choose } from './edit.ts';
import { initialState } from './initial-state.ts';
import { emptyArgs, randomArgs, readArgs, textOfArgs, withText } from './read-args.ts';
import { stateOfValue } from './state-of-value.ts';

const names = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'length',
  'prototype',
  'a.b',
  'a[0]',
  '0',
];

describe.each(names)('a part named %j', (name) => {
  const word = quoteText(name);
  const argsOf = (type: string): IDL.Type[] =>
    parseService(`service : { f : (${type}) -> () }`).methods[0]?.args ?? [];

  test('is filled, called, answered and shown in every way', () => {
    const args = argsOf(`record { ${word} : nat }`);
    const empty = emptyArgs(args);
    const filled = withText(args, empty, `(record { ${word} = 7 })`);
    expect(filled.typed?.mistake).toBeUndefined();
    const read = readArgs(args, filled);
    if (!read.ok) throw new Error('It was not read.');
    const values = decodeReply(args, IDL.encode(args, read.values));
    expect(JSON.parse(jsonText(args, values))).toEqual(JSON.parse(`{ ${JSON.stringify(name)}: 7 }`));
    const [type] = args;
    if (type === undefined) throw new Error('There is no argument.');
    expect(treeNode(type, values[0]).parts(0, 1)[0]?.text).toBe('7 : nat');
    expect(scriptValue(type, values[0])).toContain(': 7n }');
    expect(stateOfValue(type, values[0])).toEqual({ kind: 'fields', parts: [{ kind: 'text', text: '7' }] });
    expect(textOfArgs(args, emptyArgs(args))).toContain('= _');
    expect(readArgs(args, randomArgs(args)).ok).toBe(true);
  });

  test('is a choice of a variant like every other', () => {
    const args = argsOf(`variant { first : nat; ${word} : text }`);
    const [type] = args;
    if (!(type instanceof IDL.VariantClass)) throw new Error('It is no variant.');
    const value = readArgs(args, withText(args, emptyArgs(args), `(variant { ${word} = "x" })`));
    if (!value.ok) throw new Error('It was not read.');
    const values = decodeReply(args, IDL.encode(args, value.values));
    expect(JSON.parse(jsonText(args, values))).toEqual(JSON.parse(`{ ${JSON.stringify(name)}: "x" }`));
    const state = initialState(type);
    if (state.kind !== 'variant') throw new Error('It has no choice.');
    for (const [key, part] of type._fields) {
      const chosen = choose(state, key, part);
      expect(chosen).toMatchObject({ choice: key });
      expect(chosen.kind === 'variant' && chosen.entered.get(key)).toEqual({ kind: 'text', text: '' });
    }
  });
});
