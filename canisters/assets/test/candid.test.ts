import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assetCanisterDid, assetCanisterWasm } from '../index.ts';
import { AssetClient, assetService, STRANGER } from './asset-client.ts';

beforeAll(() => assetCanisterWasm(), 120_000);

let client: AssetClient;
beforeEach(async () => {
  client = await AssetClient.install();
});

function encode(types: IDL.Type[], values: unknown[]): Uint8Array {
  return new Uint8Array(IDL.encode(types, values));
}

describe('arguments as other clients write them', () => {
  test('unknown fields of any type are passed over, in any order', () => {
    const List: IDL.RecClass = IDL.Rec();
    List.fill(IDL.Opt(IDL.Record({ head: IDL.Int, tail: List })));
    const type = IDL.Record({
      aaa_list: List,
      content: IDL.Vec(IDL.Nat8),
      content_encoding: IDL.Text,
      content_type: IDL.Text,
      key: IDL.Text,
      zzz_func: IDL.Func([IDL.Text], [], ['query']),
      zzz_variant: IDL.Variant({ one: IDL.Float64, two: IDL.Vec(IDL.Tuple(IDL.Nat16, IDL.Int64)) }),
      zzz_principal: IDL.Principal,
      zzz_numbers: IDL.Tuple(
        IDL.Nat32,
        IDL.Int8,
        IDL.Int16,
        IDL.Int32,
        IDL.Float32,
        IDL.Nat64,
        IDL.Nat,
        IDL.Bool,
        IDL.Null,
        IDL.Reserved,
      ),
    });
    client.host.update(
      'store',
      encode(
        [type, IDL.Text],
        [
          {
            aaa_list: [{ head: -5n, tail: [{ head: 2n ** 90n, tail: [] }] }],
            content: [104, 105],
            content_encoding: 'identity',
            content_type: 'text/plain',
            key: '/a',
            zzz_func: [STRANGER, 'm'],
            zzz_variant: { two: [[1, 2n]] },
            zzz_principal: STRANGER,
            zzz_numbers: [1, 2, 3, 4, 5, 6n, 7n, true, null, null],
          },
          'one argument more',
        ],
      ),
    );
    expect(Buffer.from(client.get('/a').body).toString()).toBe('hi');
  });

  test('optional fields may be absent, null or plain', () => {
    const store = (extra: Record<string, IDL.Type>, values: Record<string, unknown>) =>
      client.host.update(
        'create_asset',
        encode(
          [IDL.Record({ key: IDL.Text, content_type: IDL.Text, ...extra })],
          [{ content_type: 'a/b', ...values }],
        ),
      );
    store({}, { key: '/absent' });
    store({ max_age: IDL.Null }, { key: '/null', max_age: null });
    store({ max_age: IDL.Nat64 }, { key: '/plain', max_age: 9n });
    store({ max_age: IDL.Opt(IDL.Nat64) }, { key: '/opt', max_age: [10n] });
    const ages = ['/absent', '/null', '/plain', '/opt'].map(
      (key) => client.call<{ max_age: bigint[] }>('get_asset_properties', key).max_age,
    );
    expect(ages).toEqual([[], [], [9n], [10n]]);
  });

  test('an older list without fields in its argument', () => {
    client.store('/a', 'x');
    const reply = client.host.query('list', encode([IDL.Record({})], [{}]));
    expect(IDL.decode([IDL.Vec(IDL.Record({ key: IDL.Text }))], reply)).toEqual([[{ key: '/a' }]]);
  });

  test('installing with permissions', async () => {
    const SetPermissions = IDL.Record({
      prepare: IDL.Vec(IDL.Principal),
      commit: IDL.Vec(IDL.Principal),
      manage_permissions: IDL.Vec(IDL.Principal),
    });
    const Arguments = IDL.Opt(
      IDL.Variant({
        Init: IDL.Record({ set_permissions: IDL.Opt(SetPermissions) }),
        Upgrade: IDL.Record({ set_permissions: IDL.Opt(SetPermissions) }),
      }),
    );
    const permissions = { prepare: [], commit: [STRANGER], manage_permissions: [] };
    const init = encode([Arguments], [[{ Init: { set_permissions: [permissions] } }]]);
    const own = await AssetClient.install(init);
    expect(own.call<Principal[]>('list_authorized', null).map(String)).toEqual([String(STRANGER)]);
    expect(() => own.host.upgrade(init)).toThrow('expected the variant Upgrade');
    await expect(AssetClient.install(encode([Arguments], [[]]))).resolves.toBeDefined();
  });
});

describe('arguments that are wrong', () => {
  const header = Buffer.from('DIDL');
  const cases: [string, Uint8Array, string][] = [
    ['no Candid', Buffer.from('hello'), 'it does not start with DIDL'],
    ['nothing', new Uint8Array(), 'it does not start with DIDL'],
    ['a cut type table', Buffer.concat([header, Buffer.from([5])]), 'unexpected end of data'],
    ['an unknown type', Buffer.concat([header, Buffer.from([0, 1, 0x40])]), 'unknown type -64'],
    ['no argument', encode([], []), 'expected record, found reserved'],
    ['another type', encode([IDL.Text], ['x']), 'expected record, found text'],
    [
      'a field of another type',
      encode([IDL.Record({ batch_id: IDL.Text })], [{ batch_id: 'x' }]),
      'expected nat, found text',
    ],
    [
      'a missing field',
      encode([IDL.Record({ batch_id: IDL.Nat })], [{ batch_id: 1n }]),
      'field content is missing',
    ],
    [
      'a number too large',
      encode([IDL.Record({ batch_id: IDL.Nat })], [{ batch_id: 2n ** 64n }]),
      'number above 2^64',
    ],
    [
      'a blob longer than the message',
      Buffer.concat([
        header,
        Buffer.from([2, 0x6d, 0x7b, 0x6c, 1, 0xa2, 0xf5, 0xed, 0x88, 4, 0, 1, 1, 0xff, 0xff, 0x7f]),
      ]),
      'unexpected end of data',
    ],
    [
      'billions of empty values',
      Buffer.concat([header, Buffer.from([2, 0x6d, 0x7f, 0x6c, 1, 0, 0, 1, 1, 0xff, 0xff, 0xff, 0xff, 7])]),
      'too many values without content',
    ],
  ];

  test.each(cases)('%s', (_what, argument, message) => {
    expect(() => client.host.update('create_chunk', argument)).toThrow(`invalid Candid argument: ${message}`);
  });

  test('values that nest without end', () => {
    const List: IDL.RecClass = IDL.Rec();
    List.fill(IDL.Opt(List));
    const depth = 5000;
    const type = Buffer.from([2, 0x6e, 0, 0x6c, 1, 0, 0, 1, 1]);
    const argument = Buffer.concat([header, type, Buffer.alloc(depth, 1), Buffer.from([0])]);
    expect(() => client.host.update('create_chunk', argument)).toThrow('values nest too deep');
  });
});

describe('the module', () => {
  test('field numbers are the hashes of their names', async () => {
    const source = await readFile(join(import.meta.dirname, '../assembly/candid/field-ids.ts'), 'utf8');
    const entries = [...source.matchAll(/\/\*\* (\w+) \*\/\nexport const \w+: u32 = (\d+);/g)];
    expect(entries.length).toBeGreaterThan(40);
    for (const [, name = '', number] of entries) {
      const hash = [...Buffer.from(name)].reduce((sum, byte) => (sum * 223 + byte) % 2 ** 32, 0);
      expect([name, Number(number)]).toEqual([name, hash]);
    }
  });

  test('has the methods of its Candid file, and says so in its metadata', async () => {
    const module = new WebAssembly.Module(Uint8Array.from(await assetCanisterWasm()));
    const methods = (await assetService())._fields.map(
      ([name, type]) => `canister_${type.annotations[0] ?? 'update'} ${name}`,
    );
    const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
    expect(exported.filter((name) => name.includes(' ')).sort()).toEqual(methods.sort());
    expect(WebAssembly.Module.imports(module).every((entry) => entry.module === 'ic0')).toBe(true);
    const section = (name: string) =>
      WebAssembly.Module.customSections(module, name).map((bytes) => new TextDecoder().decode(bytes));
    expect(section('icp:public candid:service')).toEqual([await assetCanisterDid()]);
    expect(section('icp:public supported_certificate_versions')).toEqual(['1,2']);
  });
});
