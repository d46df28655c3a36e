import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { CandidError } from '../errors.ts';
import { checkEncoded } from './check-encoded.ts';
import { Op, type WireCosts, WireMessage } from './wire-message.ts';

const hex = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(`4449444c${text.replaceAll(' ', '')}`, 'hex'));

test.each([
  ['a text', '00 01 71 05 61 62 63 64', IDL.Text],
  ['a number of eight bytes', '00 01 78 01 02 03 04 05 06 07', IDL.Nat64],
  ['a principal', '00 01 68 01 02 ff', IDL.Principal],
  ['items of two bytes', '01 6d 7a 01 00 02 01 00 02', IDL.Vec(IDL.Nat16)],
])('%s that lacks its last byte is refused', (_what, bytes, type) => {
  expect(() => checkEncoded(hex(bytes), [type])).toThrow('the message ends in the middle of a value');
});

test('the hash of a field has 32 bits', () => {
  const withHash = (hash: string): Uint8Array => hex(`01 6c 01 ${hash} 7f 01 00`);
  expect(checkEncoded(withHash('ff ff ff ff 0f'), [IDL.Reserved])).toBe(2);
  expect(() => checkEncoded(withHash('80 80 80 80 10'), [IDL.Reserved])).toThrow('not in their order');
});

test('a type behind the end of the table does not exist, also where no value has it', () => {
  expect(checkEncoded(hex('01 6e 00 01 00 00'), [IDL.Reserved])).toBe(1);
  expect(() => checkEncoded(hex('01 6e 01 01 00 00'), [IDL.Reserved])).toThrow('a type that does not exist');
  expect(() => checkEncoded(hex('01 6e 7f 01 01 00'), [IDL.Reserved])).toThrow('a type that does not exist');
});

test('500 values may lie in each other, and any number of them beside each other', () => {
  const list = IDL.Rec();
  list.fill(IDL.Opt(list));
  const nested = (depth: number): Uint8Array => hex(`01 6e 00 01 00 ${'01'.repeat(depth - 1)} 00`);
  expect(checkEncoded(nested(500), [list])).toBe(500);
  expect(() => checkEncoded(nested(501), [list])).toThrow(CandidError);
  const row = IDL.Vec(IDL.Record({ a: IDL.Opt(IDL.Nat) }));
  const many = Array.from({ length: 2_000 }, () => ({ a: [1n] }));
  expect(checkEncoded(new Uint8Array(IDL.encode([row], [many])), [row])).toBe(6_001);
});

/** Notes what reading is charged to. */
class Noted implements WireCosts {
  readonly notes: string[] = [];

  bytes = (count: number): void => this.#note('bytes', count);
  types = (count: number): void => this.#note('types', count);
  values = (count: number): void => this.#note('values', count);
  items = (count: number, type: number, size: number | undefined): void =>
    this.#note('items', count, type, size);
  number = (bytes: number): void => this.#note('number', bytes);
  enter = (op: number): void => this.#note('enter', op);
  leave = (): void => this.#note('leave');

  #note(...what: unknown[]): void {
    this.notes.push(what.join(' '));
  }
}

test('a record that is read field by field is charged to its reader, passed fields once more', () => {
  const costs = new Noted();
  // Fields 0 (a number), 1 (an option of a byte) and 2 (items of two bytes).
  const bytes = hex('03 6e 7b 6d 7a 6c 03 00 7d 01 00 02 01 01 02 80 01 01 07 02 00 01 00 02');
  const message = new WireMessage(bytes, costs);
  costs.notes.length = 0;
  let first = -1;
  message.record(message.types[0] ?? Op.empty, new Map([[0, () => (first = message.reader.skipNumber())]]));
  expect(first).toBe(2);
  expect(costs.notes).toEqual([
    'values 3',
    'values 1',
    `enter ${Op.opt}`,
    'values 1',
    'leave',
    'values 1',
    `enter ${Op.vec}`,
    `items 2 ${Op.nat16} 2`,
    'leave',
  ]);
  expect(message.reader.left).toBe(0);
});
