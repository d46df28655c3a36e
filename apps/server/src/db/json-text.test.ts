import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test.each([
  ['a\0b', 'a\uFFFDb'],
  ['\ud83d', '\uFFFD'],
  ['\udc00x', '\uFFFDx'],
  ['\u{1F353}', '\u{1F353}'],
  ['back\\u0000slash', 'back\\u0000slash'],
  ['\\\0', '\\\uFFFD'],
  ['\\\\ud800', '\\\\ud800'],
  ['a "b"\n\u0001', 'a "b"\n\u0001'],
])('%j is kept as %j, as a text and as a name', (text, kept) => {
  expect(JSON.parse(jsonText(text))).toBe(kept);
  expect(JSON.parse(jsonText({ [text]: [text] }))).toEqual({ [kept]: [kept] });
});

test('what Postgres takes is left as it is', () => {
  const value = { a: [1, null, true, 'ü'], b: { c: '' } };
  expect(jsonText(value)).toBe(JSON.stringify(value));
});
