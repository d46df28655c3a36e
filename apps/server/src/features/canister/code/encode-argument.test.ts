import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { checkedArgument, EMPTY_ARGUMENT, encodeArgument } from './encode-argument.ts';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** A module that holds nothing but metadata. */
function moduleWith(sections: Record<string, string>): Uint8Array {
  const parts = Object.entries(sections).map(([name, content]) => {
    const title = Buffer.from(name);
    const body = Buffer.concat([Buffer.from([title.length]), title, Buffer.from(content)]);
    const size = [0, 7, 14].map((shift) => ((body.length >> shift) & 0x7f) | (shift === 14 ? 0 : 0x80));
    return Buffer.concat([Buffer.from([0, ...size]), body]);
  });
  return Buffer.concat([Buffer.from(HEADER), ...parts]);
}

test('arguments are encoded for the types the module names', async () => {
  const wasm = moduleWith({ 'icp:public candid:args': '(text, nat8)' });
  expect(Buffer.from(await encodeArgument(wasm, '("Ada", 5)'))).toEqual(
    Buffer.from(IDL.encode([IDL.Text, IDL.Nat8], ['Ada', 5])),
  );
});

test('the service description names them too', async () => {
  const wasm = moduleWith({
    'icp:private candid:service': 'service : (opt nat) -> { get : () -> (nat) query }',
  });
  expect(Buffer.from(await encodeArgument(wasm, '(opt 5)'))).toEqual(
    Buffer.from(IDL.encode([IDL.Opt(IDL.Nat)], [[5n]])),
  );
  expect(Buffer.from(await encodeArgument(wasm, undefined))).toEqual(
    Buffer.from(IDL.encode([IDL.Opt(IDL.Nat)], [[]])),
  );
});

test.each([undefined, '', '()', ' ( ) '])('without types only nothing can be sent: %j', async (text) => {
  expect(await encodeArgument(moduleWith({}), text)).toEqual(EMPTY_ARGUMENT);
});

test('arguments that do not fit are refused with the reason', async () => {
  const wasm = moduleWith({ 'icp:public candid:args': '(nat8)' });
  for (const text of ['(256)', '("x")', '(1, 2)', '(', undefined]) {
    await expect(encodeArgument(wasm, text), text).rejects.toThrow(/install arguments do not fit/);
  }
  await expect(encodeArgument(moduleWith({}), '(5)')).rejects.toThrow(/does not say which install arguments/);
});

test('a damaged module only loses its metadata', async () => {
  const wasm = Buffer.concat([Buffer.from(HEADER), Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01])]);
  expect(await encodeArgument(wasm, '')).toEqual(EMPTY_ARGUMENT);
});

test('encoded arguments are held against the same types, with the same words', async () => {
  const args = moduleWith({ 'icp:public candid:args': '(text, nat8)' });
  const service = moduleWith({ 'icp:public candid:service': 'service : (text, nat8) -> {}' });
  const right = IDL.encode([IDL.Text, IDL.Nat8], ['Ada', 5]);
  for (const wasm of [args, service, moduleWith({})]) expect(await checkedArgument(wasm, right)).toBe(right);
  const wrong = IDL.encode([IDL.Text, IDL.Text], ['Ada', '5']);
  for (const wasm of [args, service]) {
    for (const bytes of [wrong, right.subarray(0, 9), new Uint8Array()]) {
      await expect(checkedArgument(wasm, bytes)).rejects.toThrow(/^The install arguments do not fit: /);
    }
  }
  // Who takes bytes that are no Candid says nothing of types.
  const raw = Uint8Array.from([1, 2, 3]);
  expect(await checkedArgument(moduleWith({}), raw)).toBe(raw);
});

test('long texts are read in a thread, with the same results and the same words', async () => {
  const many = Array.from({ length: 4000 }, (_, index) => `type t${index} = record { nat; opt text };`).join(
    '\n',
  );
  const wasm = moduleWith({ 'icp:public candid:args': `${many}(t7, vec nat)` });
  const numbers = Array.from({ length: 20_000 }, (_, index) => index);
  const turns = watchTurns();
  const encoded = await encodeArgument(wasm, `(record { 5; null }, vec { ${numbers.join('; ')} })`);
  const types = [IDL.Tuple(IDL.Nat, IDL.Opt(IDL.Text)), IDL.Vec(IDL.Nat)];
  expect(IDL.decode(types, encoded)).toEqual([[5n, []], numbers.map(BigInt)]);
  // This thread went on with other things meanwhile.
  expect(turns()).toBeGreaterThan(0);
  await expect(encodeArgument(wasm, '(5, vec {})')).rejects.toThrow(
    /do not fit: .*argument 1: expected record/,
  );
});

test('types that use one another again and again do not stop the server', async () => {
  const types = Array.from(
    { length: 60 },
    (_, index) => `type t${index} = record { t${index + 1}; t${index + 1} };`,
  );
  const wasm = moduleWith({ 'icp:public candid:args': `${types.join('')}type t60 = nat;(t0)` });
  for (const text of ['()', '(5)']) {
    await expect(encodeArgument(wasm, text)).rejects.toThrow(/do not fit: .*record \{ record .*…/);
  }
});

/** Counts how often this thread gets to do something else. */
function watchTurns(): () => number {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  return () => {
    clearInterval(timer);
    return turns;
  };
}
