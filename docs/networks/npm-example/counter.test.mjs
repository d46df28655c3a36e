import { fileURLToPath } from 'node:url';
import { PocketIc } from '@dfinity/pic';
import { expect, inject, test } from 'vitest';

const wasm = fileURLToPath(new URL('counter.wasm', import.meta.url));
const idlFactory = ({ IDL }) =>
  IDL.Service({ inc: IDL.Func([], [IDL.Nat64], []), get: IDL.Func([], [IDL.Nat64], ['query']) });

test('the counter counts', async () => {
  const pic = await PocketIc.create(inject('pocketIcUrl'));
  const { actor } = await pic.setupCanister({ idlFactory, wasm });
  expect(await actor.inc()).toBe(1n);
  expect(await actor.inc()).toBe(2n);
  expect(await actor.get()).toBe(2n);
  await pic.tearDown();
});
