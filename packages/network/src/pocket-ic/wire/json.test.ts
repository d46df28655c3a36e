import { expect, test } from 'vitest';
import { doubleTexts } from '../../../test/double-texts.ts';
import { bytesField, fieldsOf, natField, principalField } from './fields.ts';
import { parseJson, writeJson } from './json.ts';

const MEBIBYTE = 1024 * 1024;

doubleTexts([
  {
    name: 'a request of a test',
    cap: 4 * MEBIBYTE,
    most: 3_000,
    read: (text) => parseJson(text),
    texts: [
      ['[', '1,', '1]'],
      ['[', '12345678901234567890,', '1]'],
      ['{"payload":"', 'A', '"}'],
      ['', '[', ''],
      ['{', '"a":1,', '"a":1}'],
      ['', '9', ''],
      ['{"a":"', '\\u0000', '"}'],
    ],
  },
]);

test('numbers beyond 2^53 are exact both ways, and cycles have up to 39 digits', () => {
  const most = 2n ** 128n - 1n;
  expect(parseJson(`{"a":${most},"b":7,"c":1.5,"d":9007199254740993}`)).toEqual({
    a: most,
    b: 7,
    c: 1.5,
    d: 9_007_199_254_740_993n,
  });
  expect(writeJson({ a: most, b: [1, null, 'x'] })).toBe(`{"a":${most},"b":[1,null,"x"]}`);
  expect(() => parseJson('1'.repeat(50))).toThrow(/too many digits/);
  expect(() => parseJson('{')).toThrow(/not JSON/);
});

test('fields are what they should be, or refused', () => {
  const fields = fieldsOf(parseJson('{"n":12345678901234567890,"b":"AQI=","l":[1,2],"z":"AQ","m":-1}'));
  expect(natField(fields, 'n')).toBe(12_345_678_901_234_567_890n);
  expect(bytesField(fields, 'b')).toEqual(Uint8Array.of(1, 2));
  expect(bytesField(fields, 'l')).toEqual(Uint8Array.of(1, 2));
  expect(() => bytesField(fields, 'z')).toThrow(/not Base64/);
  expect(() => bytesField(fieldsOf({ a: [256] }), 'a')).toThrow(/must be bytes/);
  expect(() => natField(fields, 'm')).toThrow(/from 0 on/);
  expect(() => natField(fields, 'toString')).toThrow(/from 0 on/);
  expect(() => principalField(fieldsOf({ p: Buffer.alloc(30).toString('base64') }), 'p')).toThrow(/too long/);
  expect(() => fieldsOf([])).toThrow(/must be an object/);
});
