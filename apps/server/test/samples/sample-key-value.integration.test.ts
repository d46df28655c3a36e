import { IDL } from '@icp-sdk/core/candid';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import type { Principal } from '@icp-sdk/core/principal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SampleCanister, START_MS, startSample } from './sample-canister.ts';

const access = IDL.Opt(IDL.Variant({ read: IDL.Null, write: IDL.Null }));
const done = IDL.Variant({ ok: IDL.Null, err: IDL.Text });
const bytes = IDL.Vec(IDL.Nat8);
const interfaceOf: IDL.InterfaceFactory = () =>
  IDL.Service({
    create: IDL.Func([IDL.Text, IDL.Principal], [done], []),
    grant: IDL.Func([IDL.Text, IDL.Principal, access], [done], []),
    publish: IDL.Func([IDL.Text, IDL.Bool], [done], []),
    put: IDL.Func([IDL.Text, IDL.Text, bytes], [done], []),
    delete: IDL.Func([IDL.Text, IDL.Text], [done], []),
    get: IDL.Func([IDL.Text, IDL.Text], [IDL.Variant({ ok: IDL.Opt(bytes), err: IDL.Text })], ['query']),
    keys: IDL.Func([IDL.Text, IDL.Text], [IDL.Variant({ ok: IDL.Vec(IDL.Text), err: IDL.Text })], ['query']),
  });

type Done = { ok: null } | { err: string };
interface Store {
  create(collection: string, owner: Principal): Promise<Done>;
  grant(collection: string, who: Principal, access: [] | [{ read: null } | { write: null }]): Promise<Done>;
  publish(collection: string, isPublic: boolean): Promise<Done>;
  put(collection: string, key: string, value: Uint8Array): Promise<Done>;
  delete(collection: string, key: string): Promise<Done>;
  get(collection: string, key: string): Promise<{ ok: [] | [Uint8Array] } | { err: string }>;
  keys(collection: string, after: string): Promise<{ ok: string[] } | { err: string }>;
}

const OK = { ok: null };
const value = (text: string): Uint8Array => new TextEncoder().encode(text);
const [owner, reader, writer] = [1, 2, 3].map(() => Ed25519KeyIdentity.generate()) as [
  Ed25519KeyIdentity,
  Ed25519KeyIdentity,
  Ed25519KeyIdentity,
];

let sample: SampleCanister;
beforeAll(async () => {
  sample = await startSample('key-value', new Uint8Array(IDL.encode([], [])));
}, START_MS);
afterAll(() => sample.close());

test('a store gives values to those on the list only, and an upgrade keeps both', async () => {
  const as = (who?: Ed25519KeyIdentity): Promise<Store> => sample.actor<Store>(interfaceOf, who);
  const [controller, ofOwner, ofReader, ofWriter, ofNobody] = await Promise.all([
    sample.actor<Store>(interfaceOf, sample.controller),
    as(owner),
    as(reader),
    as(writer),
    as(),
  ]);
  expect(await ofOwner.create('notes', owner.getPrincipal())).toEqual({
    err: expect.stringContaining('Only a controller'),
  });
  expect(await controller.create('notes', owner.getPrincipal())).toEqual(OK);
  expect(await ofOwner.put('notes', 'one', value('first'))).toEqual(OK);

  const absent = await ofReader.get('nothing', 'one');
  expect(await ofReader.get('notes', 'one')).toEqual(absent);
  expect(await controller.get('notes', 'one')).toEqual(absent);
  expect(await ofReader.put('notes', 'one', value('x'))).toEqual(absent);
  expect(await ofReader.grant('notes', reader.getPrincipal(), [{ write: null }])).toEqual(absent);

  expect(await ofOwner.grant('notes', reader.getPrincipal(), [{ read: null }])).toEqual(OK);
  expect(await ofOwner.grant('notes', writer.getPrincipal(), [{ write: null }])).toEqual(OK);
  expect(await ofReader.get('notes', 'one')).toEqual({ ok: [value('first')] });
  expect(await ofReader.put('notes', 'one', value('x'))).toEqual({
    err: expect.stringContaining('not write'),
  });
  expect(await ofWriter.put('notes', 'two', value('second'))).toEqual(OK);
  expect(await ofWriter.grant('notes', writer.getPrincipal(), [])).toEqual({
    err: expect.stringContaining('Only the owner'),
  });
  expect(await ofOwner.put('notes', 'big', new Uint8Array(1_000_001))).toEqual({
    err: expect.stringContaining('1000000 bytes'),
  });
  expect(await ofOwner.put('notes', 'k'.repeat(101), value(''))).toEqual({
    err: expect.stringContaining('100 characters'),
  });

  await sample.upgrade('1.1.0');
  expect(await ofReader.keys('notes', '')).toEqual({ ok: ['one', 'two'] });
  expect(await ofReader.keys('notes', 'one')).toEqual({ ok: ['two'] });
  expect(await ofNobody.keys('notes', '')).toEqual(absent);
  expect(await ofWriter.delete('notes', 'one')).toEqual(OK);
  expect(await ofReader.get('notes', 'one')).toEqual({ ok: [] });

  expect(await ofNobody.get('notes', 'two')).toEqual(absent);
  expect(await ofOwner.publish('notes', true)).toEqual(OK);
  expect(await ofNobody.get('notes', 'two')).toEqual({ ok: [value('second')] });
  expect(await ofNobody.put('notes', 'two', value('x'))).toEqual({
    err: expect.stringContaining('not write'),
  });
  expect(await ofOwner.publish('notes', false)).toEqual(OK);
  expect(await ofOwner.grant('notes', reader.getPrincipal(), [])).toEqual(OK);
  expect(await ofReader.get('notes', 'two')).toEqual(absent);
});
