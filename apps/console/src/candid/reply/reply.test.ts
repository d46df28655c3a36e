import { parseService, parseValues } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import { decodeReply } from './decode-reply.ts';
import { jsonText } from './json.ts';
import { type TreeNode, treeNode } from './tree-node.ts';

const ID = 'rrkah-fqaaa-aaaaa-aaaaq-cai';
const types =
  parseService(`
  type Tree = variant { leaf; node : record { left : Tree; value : int; right : Tree } };
  service : { f : (record { name : text; big : nat; small : nat8; deep : opt opt nat; gone : opt text; data : blob;
    pair : record { bool; float64 }; tree : Tree; ask : func () -> (); who : principal; nothing : reserved }) -> () }
  `).methods[0]?.args ?? [];
const text = `(record { name = "é"; big = 18_446_744_073_709_551_616; small = 7; deep = opt opt 1; gone = null;
  data = blob "\\01\\ff"; pair = record { true; nan }; ask = func "${ID}".ask; who = principal "${ID}"; nothing = null;
  tree = variant { node = record { left = variant { leaf }; value = -1; right = variant { leaf } } } })`;
/** As a reply arrives: encoded and decoded by the library. */
const values = decodeReply(types, IDL.encode(types, parseValues(text, types)));

function lines(node: TreeNode, indent = ''): string[] {
  const own = `${indent}${node.label === undefined ? '' : `${node.label}: `}${node.text}`;
  return [own, ...node.parts(0, 100).flatMap((part) => lines(part, `${indent}  `))];
}

describe('a reply', () => {
  test('of a few bytes that stand for billions of values is refused', () => {
    const manyNulls = Buffer.from('4449444c016d7f0100ffffffff0f', 'hex');
    expect(() => decodeReply([IDL.Vec(IDL.Null)], manyNulls)).toThrow('too many values');
    expect(decodeReply([IDL.Vec(IDL.Null)], IDL.encode([IDL.Vec(IDL.Null)], [[null]]))).toEqual([[null]]);
  });

  test('as a tree', () => {
    expect(lines(treeNode(types[0] ?? IDL.Null, values[0]))).toEqual([
      'record, 11 fields',
      '  name: "é"',
      '  big: 18_446_744_073_709_551_616 : nat',
      '  small: 7 : nat8',
      '  deep: opt opt 1 : nat',
      '  gone: null',
      '  data: blob, 2 bytes: 01 ff',
      '  pair: record, 2 fields',
      '    0: true',
      '    1: nan : float64',
      '  tree: variant',
      '    node: record, 3 fields',
      '      left: variant leaf',
      '      value: -1 : int',
      '      right: variant leaf',
      `  ask: func "${ID}".ask`,
      `  who: principal "${ID}"`,
      '  nothing: null : reserved',
    ]);
  });

  test('as JSON', () => {
    expect(JSON.parse(jsonText(types, values))).toEqual({
      name: 'é',
      big: '18446744073709551616',
      small: 7,
      deep: [1],
      gone: null,
      data: '0x01ff',
      pair: [true, 'nan'],
      tree: { node: { left: { leaf: null }, value: -1, right: { leaf: null } } },
      ask: [ID, 'ask'],
      who: ID,
      nothing: null,
    });
    expect(jsonText([IDL.Nat, IDL.Nat], [1n, 2n])).toBe('[\n  1,\n  2\n]');
    expect(jsonText([], [])).toBe('[]');
  });

  test('of 5,000 items gives those that are asked for', () => {
    const numbers = Array.from({ length: 5000 }, (_, index) => BigInt(index));
    const node = treeNode(IDL.Vec(IDL.Nat), numbers);
    expect(node.text).toBe('vec, 5,000 items');
    expect(node.parts(4998, 100).map((part) => `${part.label} ${part.text}`)).toEqual([
      '4998 4_998 : nat',
      '4999 4_999 : nat',
    ]);
  });

  test('as JSON hides nothing that its texts and names hold', () => {
    const hostile = '\u202eevil\u200b\u0007\u2028"\\</script>\u{e0001}';
    const type = IDL.Record({ ['__proto__']: IDL.Text, [hostile]: IDL.Vec(IDL.Text) });
    const value = { ['__proto__']: hostile, [hostile]: [hostile] };
    const json = jsonText([type], [value]);
    expect(json).not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
    const read = JSON.parse(json) as Record<string, unknown>;
    expect(Object.getOwnPropertyDescriptor(read, '__proto__')?.value).toBe(hostile);
    expect(read[hostile]).toEqual([hostile]);
  });
});
