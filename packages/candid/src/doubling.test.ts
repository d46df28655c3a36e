import { IDL } from '@icp-sdk/core/candid';
import { describe, test } from 'vitest';
import { doubleTexts, type Growing } from '../../network/test/double-texts.ts';
import { expectLinear } from '../../network/test/expect-linear.ts';
import { decodeEncoded } from './wire/decode-encoded.ts';
import { interfaceChanges } from './types/interface-changes.ts';
import { parseInteger } from './types/number-text.ts';
import { parseService } from './types/service.ts';
import { parseValues } from './values/value-text.ts';

/** Characters of an interface that is read where it may be long: 1 MB of metadata is what a module may have. */
const INTERFACE = 1024 * 1024;
/** Characters of arguments as text. */
const ARGUMENTS = 2 * 1024 * 1024;

const interfaces: readonly Growing[] = [
  ['service : {', 'a : () -> ();'],
  ['service : {', '"\\u{61}" : () -> ();', '}'],
  ['type a = record {', 'nat;', '}'],
  ['type a = record {', 'a : nat;', '}'],
  ['', 'type a = nat;'],
  ['type a = ', 'opt ', 'nat'],
  ['type a = ', 'record {'],
  ['', '/*'],
  ['', '// a\n'],
  ['', ' '],
  ['', '"'],
  ['service : {"', 'a', '" : () -> ()}'],
  ['type a = variant {', '1;', '}'],
  ['type a = func (', 'nat, ', ') -> ()'],
];

doubleTexts([
  { name: 'an interface', cap: INTERFACE / 4, most: 8_000, read: parseService, texts: interfaces },
  {
    name: 'two interfaces',
    cap: 10_000,
    most: 2_000,
    read: (text) => interfaceChanges(text, `${text} `),
    texts: interfaces.slice(0, 5),
  },
  {
    name: 'arguments as text',
    cap: ARGUMENTS / 8,
    most: 8_000,
    read: (text) => parseValues(text, [IDL.Vec(IDL.Nat)]),
    texts: [
      ['(vec {', '1;', '})'],
      ['(vec {', '1_0;', '})'],
      ['', '('],
      ['(', 'opt ', 'null)'],
      ['(vec {', 'vec {'],
      ['("', 'a', '")'],
      ['("', '\\61', '")'],
      ['("', '\\u{61}', '")'],
      ['', '"'],
      ['', '/*'],
      ['(record {', '1;', '})'],
      ['(', '1, ', '1)'],
    ],
  },
  {
    name: 'a number',
    cap: 5_000,
    most: 200,
    read: parseInteger,
    texts: [
      ['', '1'],
      ['0x', 'f'],
      ['', '1_'],
      ['', '_'],
    ],
  },
]);

/** Bytes of a message in Candid: a table of types, then this many values. */
function message(
  table: readonly number[],
  type: number,
  count: number,
  value: readonly number[],
): Uint8Array {
  const length: number[] = [];
  for (let rest = count; ; rest >>>= 7) {
    length.push(rest < 128 ? rest : (rest & 127) | 128);
    if (rest < 128) break;
  }
  const values = Buffer.alloc(count * value.length, Buffer.from(value));
  return Uint8Array.from(
    Buffer.concat([Buffer.from('DIDL'), Buffer.of(...table, 1, type, ...length), values]),
  );
}

describe('values in Candid', () => {
  const limits = { bytes: 4 * 1024 * 1024, values: 600_000, types: 10_000 };
  test.each([
    ['numbers', [1, 0x6d, 0x7d], [1]],
    ['bytes', [1, 0x6d, 0x7b], [1]],
    ['nothing', [1, 0x6d, 0x7f], []],
    ['empty records', [2, 0x6d, 1, 0x6c, 0], []],
    ['empty texts', [1, 0x6d, 0x71], [0]],
    ['options', [2, 0x6d, 1, 0x6e, 0x7d], [0]],
    ['empty lists', [2, 0x6d, 1, 0x6d, 0x7d], [0]],
    ['principals', [1, 0x6d, 0x68], [1, 0]],
  ] as const)('twice as many take at most twice the time: %s', async (_, table, value) => {
    const read = (bytes: Uint8Array): unknown => decodeEncoded(bytes, [IDL.Reserved], limits);
    await expectLinear({ input: (count) => message(table, 0, count, value), read, cap: 500_000 }, 8_000);
  });
});
