import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { CandidError } from '../errors.ts';
import { readEncoded } from './decode-encoded.ts';
import { encodeText } from '../values/value-text.ts';

const result = [IDL.Record({ name: IDL.Text, count: IDL.Nat })];

test('a message becomes one line of text, the same for the same values', () => {
  const text = readEncoded(IDL.encode(result, [{ name: 'Ada', count: 5n }]), result);
  expect(text).not.toContain('\n');
  expect(text).toBe(readEncoded(encodeText('(record { count = 5; name = "Ada" })', result), result));
  expect(text).not.toBe(readEncoded(encodeText('(record { count = 6; name = "Ada" })', result), result));
});

test('a message that is cut, of other types, or of very many values that take no byte is refused', () => {
  const message = IDL.encode(result, [{ name: 'Ada', count: 5n }]);
  expect(() => readEncoded(message.subarray(0, -1), result)).toThrow(CandidError);
  expect(() => readEncoded(message, [IDL.Text])).toThrow(CandidError);
  // A vec of 2^30 nulls in a dozen bytes.
  const bomb = Buffer.from('4449444c016d7f01008080808004', 'hex');
  expect(() => readEncoded(bomb, [IDL.Vec(IDL.Null)])).toThrow(/too many values/);
});
