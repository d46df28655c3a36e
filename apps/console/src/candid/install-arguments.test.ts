import { IDL } from '@icp-sdk/core/candid';
import { expect, test } from 'vitest';
import { openArguments } from './install-arguments.tsx';

const hex = (types: IDL.Type[], values: unknown[]): string =>
  Buffer.from(IDL.encode(types, values)).toString('hex');

test('what is entered for install arguments is encoded for their types', () => {
  const draft = openArguments('service : (start : opt nat, tags : vec text) -> {}');
  expect(draft?.count).toBe(2);
  expect(draft?.read()).toEqual({ ok: true, hex: hex([IDL.Opt(IDL.Nat), IDL.Vec(IDL.Text)], [[], []]) });
});

test('a mistake gives a draft to be corrected, not arguments', () => {
  const read = openArguments('service : (start : nat) -> {}')?.read();
  expect(read).toMatchObject({ ok: false, draft: { count: 1 } });
});

test('a module without arguments has none to enter', () => {
  expect(openArguments('service : () -> {}')?.count).toBe(0);
});

test('a text that is not Candid opens no inputs', () => {
  expect(openArguments('service : (nat')).toBeUndefined();
});
