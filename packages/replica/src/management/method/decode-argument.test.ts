import { randomBytes } from 'node:crypto';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { describe, expect, test } from 'vitest';
import { icMethods } from '@cannery/ic/generated/ic-interface';
import { decodeArgument } from './decode-argument.ts';

const argOf = (name: keyof typeof icMethods): IDL.Type => icMethods[name].arg ?? IDL.Null;
const InstallCodeArg = argOf('install_code');
const UpdateSettingsArg = argOf('update_settings');
const UploadChunkArg = argOf('upload_chunk');
const canister_id = Principal.fromUint8Array(Uint8Array.of(1, 2, 3));
const blob = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(length));

describe('arguments of the management canister', () => {
  test.each([0, 1, 127, 128, 70_000])(
    'blobs of %i bytes come out as the general decoder gives them',
    (length) => {
      const value = {
        mode: { upgrade: [{ skip_pre_upgrade: [true], wasm_memory_persistence: [{ keep: null }] }] },
        canister_id,
        wasm_module: blob(length),
        arg: blob(length + 3),
        sender_canister_version: [7n],
      };
      const bytes = new Uint8Array(IDL.encode([InstallCodeArg], [value]));
      expect(decodeArgument(InstallCodeArg, bytes)).toEqual(IDL.decode([InstallCodeArg], bytes.slice())[0]);
      expect(decodeArgument(InstallCodeArg, bytes)).toEqual(value);
    },
  );

  test('unknown fields are skipped and missing options are empty', () => {
    const wide = IDL.Record({
      canister_id: IDL.Principal,
      chunk: IDL.Vec(IDL.Nat8),
      extra: IDL.Vec(IDL.Variant({ a: IDL.Text, b: IDL.Tuple(IDL.Int, IDL.Float64, IDL.Opt(IDL.Nat)) })),
    });
    const bytes = IDL.encode(
      [wide],
      [{ canister_id, chunk: blob(500), extra: [{ a: 'x' }, { b: [-700n, 1.5, [2n ** 80n]] }] }],
    );
    expect(decodeArgument(UploadChunkArg, new Uint8Array(bytes))).toMatchObject({ canister_id });
    const old = IDL.Record({ canister_id: IDL.Principal, settings: IDL.Record({}) });
    expect(
      decodeArgument(UpdateSettingsArg, new Uint8Array(IDL.encode([old], [{ canister_id, settings: {} }]))),
    ).toMatchObject({ settings: { controllers: [], log_visibility: [] }, sender_canister_version: [] });
  });

  test('broken and bomb-like messages are refused', () => {
    const good = new Uint8Array(IDL.encode([UploadChunkArg], [{ canister_id, chunk: blob(10) }]));
    for (let end = 0; end < good.length; end++) {
      expect(() => decodeArgument(UploadChunkArg, good.slice(0, end))).toThrow(/Error decoding candid/);
    }
    // A vector of 2^32 - 1 nulls takes no bytes and very many steps.
    const bomb = Uint8Array.of(0x44, 0x49, 0x44, 0x4c, 1, 0x6d, 0x7f, 1, 0, 0xff, 0xff, 0xff, 0xff, 0x0f);
    expect(() => decodeArgument(UploadChunkArg, bomb)).toThrow(/too complex/);
  });

  test('what the general decoder would take long for is refused before it runs', () => {
    const variables = IDL.Vec(IDL.Record({ name: IDL.Text, value: IDL.Text }));
    const type = IDL.Record({
      canister_id: IDL.Principal,
      settings: IDL.Record({ environment_variables: IDL.Opt(variables) }),
    });
    const list = Array.from({ length: 4_000 }, () => ({ name: 'a', value: 'b' }));
    const long = IDL.encode([type], [{ canister_id, settings: { environment_variables: [list] } }]);
    expect(() => decodeArgument(UpdateSettingsArg, new Uint8Array(long))).toThrow(/too complex/);
    const fields = Array.from({ length: 1_000 }, (_, index) => [`f${index}`, IDL.Null] as const);
    const wide = IDL.encode(
      [IDL.Record(Object.fromEntries(fields))],
      [Object.fromEntries(fields.map(([name]) => [name, null]))],
    );
    expect(() => decodeArgument(UploadChunkArg, new Uint8Array(wide))).toThrow(/too complex/);
  });

  const items: readonly (readonly [name: string, item: IDL.Type, value: unknown])[] = [
    ['null', IDL.Null, null],
    ['nat16', IDL.Nat16, 0],
    ['text', IDL.Text, ''],
  ];
  test.each(items)('ten thousand values are read, and no more: %s', (_name, item, value) => {
    const type = IDL.Record({ canister_id: IDL.Principal, chunk: IDL.Vec(IDL.Nat8), extra: IDL.Vec(item) });
    const ofItems = (count: number): Uint8Array =>
      new Uint8Array(
        IDL.encode([type], [{ canister_id, chunk: [], extra: Array.from({ length: count }, () => value) }]),
      );
    // The principal and the list itself are values, too; the chunk is lifted out.
    expect(decodeArgument(UploadChunkArg, ofItems(9_998))).toMatchObject({ canister_id });
    expect(() => decodeArgument(UploadChunkArg, ofItems(9_999))).toThrow(/too complex/);
  });
});
