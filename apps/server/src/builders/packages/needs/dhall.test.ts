import { expect, test } from 'vitest';
import { readDhall } from './dhall.ts';

const text = (value: string) => ({ kind: 'text', text: value });

test('records, lists, names, comments and types', () => {
  const value = readDhall(
    `-- a comment
     let Package = { name : Text, tags : List Text }  {- a comment {- within -} one -}
     let one = "1\\"\\n" : Text
     in { name = one, \`odd name\` = Some "x", none = None Text, n = 12, tags = [ one, "b", ] : List Text, empty = [] : List Package }`,
    'a.dhall',
  );
  expect(value).toEqual({
    kind: 'record',
    fields: new Map<string, unknown>([
      ['name', text('1"\n')],
      ['odd name', text('x')],
      ['none', { kind: 'other' }],
      ['n', { kind: 'other' }],
      ['tags', { kind: 'list', items: [text('1"\n'), text('b')], imports: [] }],
      ['empty', { kind: 'list', items: [], imports: [] }],
    ]),
  });
});

test('lists one behind the other, with the imports among them; records merged and fields taken', () => {
  const value = readDhall(
    `let base = { a = "1", b = "2" }
     let more = base // { b = "3" }
     in https://example.com/set.dhall sha256:${'a'.repeat(64)} # [ base.a, more.b ] # ./local.dhall`,
    'a.dhall',
  );
  expect(value).toEqual({
    kind: 'list',
    items: [text('1'), text('3')],
    imports: ['https://example.com/set.dhall', './local.dhall'],
  });
});

test.each([
  ['λ(x : Text) → x', 'line 1'],
  ['"${env:HOME}"', 'contain other values'],
  ['\n"no end', 'line 2: a text is never closed'],
  ['[ "a"', 'ends too early'],
  ['{ a = if True then "x" else "y" }', "'if' is not supported here"],
  ['"a" "b"', "'b' is not supported here"],
  ['', 'ends too early'],
  ['('.repeat(10_000), 'nested too deeply'],
  [`[${'"x",'.repeat(60_000)}]`, 'too long'],
  [`let a = [${'"x",'.repeat(1_000)}] in ${Array(300).fill('a').join(' # ')}`, 'too many'],
])('%.40s is refused', (source, reason) => {
  expect(() => readDhall(source, 'a.dhall')).toThrow(reason);
});
