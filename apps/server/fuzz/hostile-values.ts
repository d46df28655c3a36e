import { hostileAddresses, hostileBranches, hostileDirectories, hostileNames } from '@cannery/dev-env';

/** Texts longer than these are made apart, seldom: sending a megabyte tests the line and not the reader. */
const LONGEST = 5000;

const short = (texts: readonly string[]): string[] => texts.filter((text) => text.length <= LONGEST);

/** Texts that some part of a program may take for something else. */
export const hostileTexts: readonly string[] = [
  ...short(hostileNames),
  ...short(hostileBranches),
  ...short(hostileDirectories('/etc/passwd')),
  ...short(hostileAddresses),
  "' or '1'='1",
  "'; drop table users; --",
  '%',
  '_',
  '\\',
  '$1',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\r\nSet-Cookie: token=1',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\uffff',
  '\u202e\u2066',
  '𝒳'.repeat(100),
  'é'.normalize('NFD').repeat(100),
  'a\u0301'.repeat(300),
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e309',
  '00',
  '0x10',
  '１２',
  '9'.repeat(40),
  '__proto__',
  'constructor',
  'toString',
  'a'.repeat(129),
  'a'.repeat(256),
  'a'.repeat(LONGEST),
  '2026-02-30T25:61:61Z',
  'aaaaa-aa',
  'rrkah-fqaaa-aaaaa-aaaaq-cai',
  '00000000-0000-0000-0000-000000000000',
  '4449444c',
  '4449444c0171',
  '4449444c016d00',
  `4449444c016c00${'00'.repeat(500)}`,
  '4449444cffffffffff7f',
  'DIDL\u0000\u0000',
  '(record { 1 = 2 })',
  `(${'vec {'.repeat(300)}`,
  '([\u0000',
];

/** Numbers at the edges of what programs count with. */
export const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.1,
  1e-320,
  1e21,
  1e308,
  -1e308,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 63),
  2 ** 64,
  1.000_000_000_000_1,
];

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Values of the wrong kind. */
export const strangeValues: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [''],
  { length: 1 },
  { toString: 'x' },
  { $ne: '' },
  { __html: 'x' },
  JSON.parse('{"__proto__":{"admin":true}}'),
  nested(4),
  nested(28),
  nested(60),
  Array.from({ length: 1000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index])),
];
