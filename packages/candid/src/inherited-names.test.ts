import { IDL } from '@icp-sdk/core/candid';
import { describe, expect, test } from 'vitest';
import { parseService } from './types/service.ts';
import { quoteText } from './types/label.ts';
import { readEncoded } from './wire/decode-encoded.ts';
import { breakingChanges } from './types/interface-changes.ts';
import { printValues } from './values/value-print.ts';
import { encodeText, parseValues } from './values/value-text.ts';

/** Names that stand for something in every object, list, function or promise, and others that are awkward as keys. */
const names = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'length',
  'prototype',
  'toJSON',
  'name',
  'map',
  'Symbol.iterator',
  'typeName',
  '_fields',
  '',
  '0',
  '00',
  '-1',
  '5',
  '1e3',
  'a.b',
  'a[0]',
  '[]',
  '_0_x',
  ' ',
  'null',
  'undefined',
  '\u0000',
  '\u{1f600}',
];

describe.each(names)('a field, choice, method or argument named %j', (name) => {
  const word = quoteText(name);

  test('of a record keeps its value both ways', () => {
    const [method] = parseService(`service : { f : (record { ${word} : nat; z : text }) -> () }`).methods;
    const types = method?.args ?? [];
    const text = `(record { ${word} = 7; z = "x" })`;
    const bytes = encodeText(text, types);
    const again = IDL.decode([...types], bytes);
    expect(readEncoded(bytes, types)).toBe(printValues(types, parseValues(text, types), 1_000));
    expect(readEncoded(bytes, types)).toContain(' = 7 : nat; z = "x"');
    expect(new Uint8Array(IDL.encode([...types], again))).toEqual(bytes);
    expect(method?.signature).toContain(': nat; z : text');
  });

  test('of a variant keeps its value both ways', () => {
    const types =
      parseService(`service : { f : (variant { ${word} : nat; other }) -> () }`).methods[0]?.args ?? [];
    const bytes = encodeText(`(variant { ${word} = 7 })`, types);
    expect(readEncoded(bytes, types)).toContain('= 7 : nat');
    const other = encodeText('(variant { other })', types);
    expect(readEncoded(other, types)).toBe('(variant { other })');
  });

  test('of a service is called as it is', () => {
    const did = `service : { ${word} : (${word} : nat) -> (nat) query; other : () -> () }`;
    const [method] = parseService(did).methods;
    expect(method?.name).toBe(name);
    expect(method?.argNames).toEqual([name]);
    expect(breakingChanges(did, did)).toEqual([]);
  });
});

test.each(['constructor', 'hasOwnProperty', '__proto__', 'toString'])(
  'a field shows the name %s again',
  (name) => {
    const types = parseService(`service : { f : (record { ${name} : nat }) -> () }`).methods[0]?.args ?? [];
    expect(readEncoded(encodeText(`(record { ${name} = 7 })`, types), types)).toBe(
      `(record { ${name} = 7 : nat })`,
    );
  },
);

test.each(['constructor', 'hasOwnProperty', '__proto__'])('a type named %s is a type', (name) => {
  const { types, methods } = parseService(
    `type ${name} = record { a : nat }; service : { f : (${name}) -> () }`,
  );
  expect(types).toEqual([{ name, text: 'record { a : nat }' }]);
  expect(methods[0]?.argTexts).toEqual([name]);
});
