import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { EMPTY_ARGUMENT, encodeArgument } from './encode-argument.ts';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module that holds nothing but metadata. */
function moduleWith(sections: Record<string, string>): Uint8Array {
  const parts = Object.entries(sections).map(([name, content]) => {
    const title = Buffer.from(name);
    const body = Buffer.concat([Buffer.from([title.length]), title, Buffer.from(content)]);
    const size = [(body.length & 0x7f) | 0x80, body.length >> 7];
    return Buffer.concat([Buffer.from([0, ...size]), body]);
  });
  return Buffer.concat([Buffer.from(HEADER), ...parts]);
}

test('arguments are encoded for the types the module names', () => {
  const wasm = moduleWith({ 'icp:public candid:args': '(text, nat8)' });
  expect(Buffer.from(encodeArgument(wasm, '("Ada", 5)'))).toEqual(
    Buffer.from(IDL.encode([IDL.Text, IDL.Nat8], ['Ada', 5])),
  );
});

test('the service description names them too', () => {
  const wasm = moduleWith({
    'icp:private candid:service': 'service : (opt nat) -> { get : () -> (nat) query }',
  });
  expect(Buffer.from(encodeArgument(wasm, '(opt 5)'))).toEqual(
    Buffer.from(IDL.encode([IDL.Opt(IDL.Nat)], [[5n]])),
  );
  expect(Buffer.from(encodeArgument(wasm, undefined))).toEqual(
    Buffer.from(IDL.encode([IDL.Opt(IDL.Nat)], [[]])),
  );
});

test.each([undefined, '', '()', ' ( ) '])('without types only nothing can be sent: %j', (text) => {
  expect(encodeArgument(moduleWith({}), text)).toEqual(EMPTY_ARGUMENT);
});

test('arguments that do not fit are refused with the reason', () => {
  const wasm = moduleWith({ 'icp:public candid:args': '(nat8)' });
  for (const text of ['(256)', '("x")', '(1, 2)', '(', undefined]) {
    expect(() => encodeArgument(wasm, text), text).toThrow(/install arguments do not fit/);
  }
  expect(() => encodeArgument(moduleWith({}), '(5)')).toThrow(/does not say which install arguments/);
});

test('a damaged module only loses its metadata', () => {
  const wasm = Buffer.concat([Buffer.from(HEADER), Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])]);
  expect(encodeArgument(wasm, '')).toEqual(EMPTY_ARGUMENT);
});
