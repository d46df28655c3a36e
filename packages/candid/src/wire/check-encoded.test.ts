import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { typedValue } from '../../test/arbitrary.ts';
import { checkEncoded } from './check-encoded.ts';
import { CandidError } from '../errors.ts';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const encoded = (types: IDL.Type[], values: unknown[]): Uint8Array => IDL.encode(types, values);

describe('what fits is let through', () => {
  test('whatever the type, as the library encodes it', () => {
    fc.assert(
      fc.property(typedValue(), ({ type, value }) => {
        checkEncoded(encoded([type], [value]), [type]);
      }),
      { numRuns: 150 },
    );
  });

  test('recursive types, references and functions', () => {
    const list = IDL.Rec();
    list.fill(IDL.Opt(IDL.Record({ head: IDL.Int, tail: list })));
    const call = IDL.Func([IDL.Nat], [IDL.Text], ['query']);
    const service = IDL.Service({ ask: call });
    const id = Principal.fromText('aaaaa-aa');
    const types = [list, call, service, IDL.Principal, IDL.Reserved];
    const values = [[{ head: -5n, tail: [{ head: 1n, tail: [] }] }], [id, 'ask'], id, id, 'x'];
    checkEncoded(encoded(types, values), types);
  });

  test('a subtype, more arguments than wanted, and none for what may be left out', () => {
    checkEncoded(encoded([IDL.Nat, IDL.Text], [5n, 'more']), [IDL.Int]);
    checkEncoded(encoded([IDL.Record({ a: IDL.Nat, b: IDL.Text })], [{ a: 1n, b: '' }]), [
      IDL.Record({ a: IDL.Int }),
    ]);
    checkEncoded(encoded([], []), [IDL.Opt(IDL.Nat), IDL.Reserved]);
  });
});

describe('what does not fit is refused in words', () => {
  test.each([
    ['no bytes', '', [], 'a Candid message begins with "DIDL"'],
    ['other bytes', '00 01 02 03 04', [], 'a Candid message begins with "DIDL"'],
    ['no count', '44 49 44 4c', [], 'the message ends in the middle of a value'],
    ['another type', '44 49 44 4c 00 01 71 01 61', [IDL.Nat], '`text` comes where `nat` is expected'],
    ['a missing argument', '44 49 44 4c 00 00', [IDL.Nat], 'argument 1 of type `nat` is expected'],
    ['a cut value', '44 49 44 4c 00 01 71 05 61', [IDL.Text], 'ends in the middle of a value'],
    ['bytes behind', '44 49 44 4c 00 01 7d 05 05', [IDL.Nat], 'bytes after the last value'],
    ['a text that is none', '44 49 44 4c 00 01 71 01 ff', [IDL.Text], 'a text is not valid UTF-8'],
    ['an entry that is not there', '44 49 44 4c 00 01 05', [IDL.Nat], 'a type that does not exist'],
    ['a kind that is not there', '44 49 44 4c 01 40 00', [], 'a type of an unknown kind'],
    ['fields in disorder', '44 49 44 4c 01 6c 02 05 7d 04 7d 00', [], 'not in their order'],
    ['the empty type', '44 49 44 4c 00 01 6f', [IDL.Reserved], 'no value of the type `empty`'],
    ['a flag that is none', '44 49 44 4c 00 01 7e 02', [IDL.Bool], 'is neither'],
    ['an opaque reference', '44 49 44 4c 00 01 68 00', [IDL.Principal], 'opaque references'],
  ] as const)('%s', (_what, bytes, types, reason) => {
    expect(() => checkEncoded(hex(bytes), [...types])).toThrow(reason);
  });

  test('a record says where', () => {
    const sent = encoded([IDL.Record({ owner: IDL.Record({ name: IDL.Nat }) })], [{ owner: { name: 1n } }]);
    const wanted = IDL.Record({ owner: IDL.Record({ name: IDL.Text }) });
    expect(() => checkEncoded(sent, [wanted])).toThrow(
      'argument 1: field owner: field name: `nat` comes where `text` is expected',
    );
    expect(() => checkEncoded(sent, [IDL.Text])).toThrow('`record` comes where `text` is expected');
  });
});

describe('hostile messages', () => {
  test.each([
    ['very many values of no bytes', '44 49 44 4c 01 6d 7f 01 00 ff ff ff ff 7f'],
    ['a record that holds itself', '44 49 44 4c 01 6c 01 00 00 01 00'],
    ['a count without end', `44 49 44 4c ${'80'.repeat(200)}00`],
    ['a table that is too long', '44 49 44 4c ff ff ff 7f'],
    [
      'types that use the one before twice, forty times',
      `44 49 44 4c 29 6c 00 ${Array.from({ length: 40 }, (_, index) => {
        const before = index.toString(16).padStart(2, '0');
        return `6c 02 00 ${before} 01 ${before}`;
      }).join('')} 01 28`,
    ],
  ])('%s: refused before they do harm', (_what, bytes) => {
    expect(() => checkEncoded(hex(bytes), [IDL.Reserved])).toThrow(CandidError);
  });

  test('any bytes are taken or refused, and nothing else happens', () => {
    const fragments = fc.array(
      fc.oneof(fc.constantFrom(0x6c, 0x6d, 0x6e, 0x6b, 0x6a, 0x69, 0x7d, 0x71, 0, 1, 2), fc.nat(255)),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(fragments, (bytes) => {
        try {
          checkEncoded(Uint8Array.from([0x44, 0x49, 0x44, 0x4c, ...bytes]), [IDL.Reserved]);
        } catch (error) {
          expect(error).toBeInstanceOf(CandidError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
