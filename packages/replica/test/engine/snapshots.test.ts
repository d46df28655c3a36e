import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALICE, BOB, EMPTY, principal, TestClient } from '../engine-client.ts';
import { Proxy } from '../canisters/proxy-canister.ts';
import { wat } from '../../../wasm/test/wasm.ts';

/** Heap, stable memory, globals and certified data that can be set and read. */
const STATE_WAT = `
(module
  (import "ic0" "msg_reply" (func $reply))
  (import "ic0" "msg_reply_data_append" (func $append (param i32 i32)))
  (import "ic0" "msg_arg_data_size" (func $size (result i32)))
  (import "ic0" "msg_arg_data_copy" (func $arg (param i32 i32 i32)))
  (import "ic0" "stable64_grow" (func $grow (param i64) (result i64)))
  (import "ic0" "stable64_size" (func $stable_size (result i64)))
  (import "ic0" "stable64_write" (func $stable_write (param i64 i64 i64)))
  (import "ic0" "stable64_read" (func $stable_read (param i64 i64 i64)))
  (import "ic0" "certified_data_set" (func $certify (param i32 i32)))
  (memory 3)
  (global $end (export "__data_end") i32 (i32.const 4096))
  (global $sum (mut i64) (i64.const -3))
  (global $ratio (mut f64) (f64.const 1.5))
  (global $narrow (mut f32) (f32.const -0.25))
  (global $small (mut i32) (i32.const 7))
  (func (export "canister_init") (drop (call $grow (i64.const 2))))
  (func (export "canister_update set")
    (call $arg (i32.const 70000) (i32.const 0) (call $size))
    (call $stable_write (i64.const 66000) (i64.const 70000) (i64.const 4))
    (call $certify (i32.const 70000) (i32.const 4))
    (global.set $sum (i64.add (global.get $sum) (i64.load32_u (i32.const 70000))))
    (global.set $ratio (f64.add (global.get $ratio) (f64.const 1)))
    (global.set $small (i32.load (i32.const 70000)))
    (call $reply))
  (func (export "canister_query get")
    (i32.store (i32.const 0) (i32.load (i32.const 70000)))
    (call $stable_read (i64.const 4) (i64.const 66000) (i64.const 4))
    (i64.store (i32.const 8) (global.get $sum))
    (f64.store (i32.const 16) (global.get $ratio))
    (i32.store (i32.const 24) (global.get $small))
    (f32.store (i32.const 28) (global.get $narrow))
    (call $append (i32.const 0) (i32.const 32)) (call $reply)))`;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const word = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
};
interface Taken {
  id: Uint8Array;
  taken_at_timestamp: bigint;
  total_size: bigint;
}
interface Meta {
  source: object;
  wasm_module_size: bigint;
  wasm_memory_size: bigint;
  stable_memory_size: bigint;
  globals: object[];
  certified_data: Uint8Array;
  wasm_chunk_store: { hash: Uint8Array }[];
  canister_version: bigint;
  global_timer: [] | [object];
  on_low_wasm_memory_hook_status: [] | [object];
}
/** The part of the metadata that is uploaded. */
const uploaded = ({
  global_timer: [timer],
  on_low_wasm_memory_hook_status: [hook],
  ...meta
}: Meta): object => ({
  ...meta,
  global_timer: timer,
  on_low_wasm_memory_hook_status: hook,
});

describe('canister snapshots', { timeout: 60_000 }, () => {
  let client: TestClient;
  const module = wat(STATE_WAT);
  const target = (id: Uint8Array): { canister_id: ReturnType<typeof principal> } => ({
    canister_id: principal(id),
  });
  const take = async (id: Uint8Array, options: object = {}): Promise<Taken> =>
    (await client.management('take_canister_snapshot', { ...target(id), ...options })) as Taken;
  const load = (id: Uint8Array, snapshot: Uint8Array, sender = ALICE): Promise<unknown> =>
    client.management('load_canister_snapshot', { ...target(id), snapshot_id: snapshot }, sender);
  const list = async (id: Uint8Array, sender = ALICE): Promise<Taken[]> =>
    (await client.management('list_canister_snapshots', target(id), sender)) as Taken[];
  const state = async (id: Uint8Array): Promise<string> => hex(await client.query(id, 'get'));
  const metadata = async (id: Uint8Array, snapshot: Uint8Array): Promise<Meta> =>
    (await client.management('read_canister_snapshot_metadata', {
      ...target(id),
      snapshot_id: snapshot,
    })) as Meta;

  beforeAll(async () => {
    client = await TestClient.start();
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('a loaded snapshot brings back heap, stable memory, globals and certified data, also after a restart', async () => {
    const id = await client.deploy(module);
    await client.update(id, 'set', word(0xaabb));
    const before = await state(id);
    const snapshot = await take(id);
    await client.update(id, 'set', word(5));
    const changed = await state(id);
    expect(changed).not.toBe(before);
    await client.restart();
    const version = ((await client.status(id))['version'] as bigint) + 1n;
    await load(id, snapshot.id);
    expect(await state(id)).toBe(before);
    expect(hex(client.canisters.get(hex(id))?.certifiedData ?? EMPTY)).toBe(hex(word(0xaabb)));
    expect((await client.status(id))['version']).toBe(version);
    await client.update(id, 'set', word(6));
    await client.restart();
    await load(id, snapshot.id);
    await client.restart();
    expect(await state(id)).toBe(before);
  });

  test('a snapshot survives upgrades, reinstallation and uninstallation, and its size counts', async () => {
    const id = await client.deploy(module);
    await client.update(id, 'set', word(77));
    const before = await state(id);
    const size = async (): Promise<bigint> => (await client.status(id))['memory_size'] as bigint;
    const empty = await size();
    const snapshot = await take(id);
    expect(snapshot.total_size).toBe(5n * 65_536n + BigInt(module.length) + 5n * 8n + 4n);
    expect(await size()).toBe(empty + snapshot.total_size);
    await client.install(id, module, { mode: { reinstall: null } });
    await client.management('uninstall_code', target(id));
    expect(await list(id)).toEqual([snapshot]);
    await client.restart();
    await load(id, snapshot.id);
    expect(await state(id)).toBe(before);
    await client.management('delete_canister_snapshot', { ...target(id), snapshot_id: snapshot.id });
    expect(await list(id)).toEqual([]);
    await expect(load(id, snapshot.id)).rejects.toMatchObject({ code: 'IC0305', rejectCode: 3 });
  });

  test('taking can replace a snapshot and uninstall the code in one step', async () => {
    const id = await client.deploy(module);
    await client.update(id, 'set', word(9));
    const before = await state(id);
    const first = await take(id);
    const second = await take(id, { replace_snapshot: first.id, uninstall_code: true });
    expect(hex(second.id)).not.toBe(hex(first.id));
    expect(await list(id)).toEqual([second]);
    expect((await client.status(id))['module_hash']).toEqual([]);
    await expect(take(id)).rejects.toMatchObject({ code: 'IC0406' });
    await load(id, second.id);
    expect(await state(id)).toBe(before);
  });

  test('there can be ten, and the eleventh replaces one', async () => {
    const id = await client.deploy(module);
    const taken: Taken[] = [];
    for (let n = 0; n < 10; n++) taken.push(await take(id));
    await expect(take(id)).rejects.toThrow(/maximum number of snapshots allowed: 10/);
    await take(id, { replace_snapshot: taken[3]?.id });
    expect((await list(id)).map(({ id: name }) => name[7])).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10]);
    expect(hex(taken[0]?.id ?? EMPTY)).toBe(`0000000000000000${hex(id)}`);
  });

  test('only controllers of both canisters load; visibility lets others list and read', async () => {
    const id = await client.deploy(module);
    const other = await client.create({ sender: BOB });
    const { id: snapshot } = await take(id);
    await expect(load(other, snapshot, BOB)).rejects.toMatchObject({ code: 'IC0512' });
    await expect(list(id, BOB)).rejects.toMatchObject({ code: 'IC0512', admitted: false });
    await client.management('update_settings', {
      ...target(id),
      settings: { snapshot_visibility: { allowed_viewers: [principal(BOB)] } },
    });
    expect(await list(id, BOB)).toHaveLength(1);
    await expect(
      client.management('delete_canister_snapshot', { ...target(id), snapshot_id: snapshot }, BOB),
    ).rejects.toMatchObject({ code: 'IC0512' });
    await expect(
      client.management('read_canister_snapshot_metadata', { ...target(other), snapshot_id: snapshot }, BOB),
    ).rejects.toMatchObject({ code: 'IC0406' });
  });

  test('a download uploaded to another canister makes the same canister', async () => {
    const source = await client.deploy(new Uint8Array(gzipSync(module)));
    await client.update(source, 'set', word(0xfedc));
    const chunk = new Uint8Array(randomBytes(1000));
    await client.management('upload_chunk', { ...target(source), chunk });
    const taken = await take(source);
    const meta = await metadata(source, taken.id);
    expect(meta).toMatchObject({ source: { taken_from_canister: null }, wasm_memory_size: 196_608n });
    expect(meta.globals).toEqual([
      { i32: 4096 },
      { i64: 0xfedcn - 3n },
      { f64: 2.5 },
      { f32: -0.25 },
      { i32: 0xfedc },
    ]);
    const copy = await client.create();
    const { snapshot_id } = (await client.management('upload_canister_snapshot_metadata', {
      ...target(copy),
      ...uploaded(meta),
    })) as { snapshot_id: Uint8Array };
    const read = async (kind: object): Promise<Uint8Array> => {
      const arg = { ...target(source), snapshot_id: taken.id, kind };
      return ((await client.management('read_canister_snapshot_data', arg)) as { chunk: Uint8Array }).chunk;
    };
    const write = (kind: object, bytes: Uint8Array): Promise<unknown> =>
      client.management('upload_canister_snapshot_data', {
        ...target(copy),
        snapshot_id,
        kind,
        chunk: bytes,
      });
    for (const [name, size] of [
      ['wasm_module', meta.wasm_module_size],
      ['wasm_memory', meta.wasm_memory_size],
      ['stable_memory', meta.stable_memory_size],
    ] as const) {
      // Pieces that begin and end within pages, in their own order.
      const step = 50_001n;
      const offsets = Array.from({ length: Number((size + step - 1n) / step) }, (_, i) => BigInt(i) * step);
      for (const offset of offsets.toReversed()) {
        const length = offset + step > size ? size - offset : step;
        await write({ [name]: { offset } }, await read({ [name]: { offset, size: length } }));
      }
    }
    const { hash } = meta.wasm_chunk_store[0] ?? { hash: EMPTY };
    await write({ wasm_chunk: null }, await read({ wasm_chunk: { hash } }));
    await client.restart();
    await load(copy, snapshot_id);
    expect(await state(copy)).toBe(await state(source));
    expect((await client.status(copy))['module_hash']).toEqual((await client.status(source))['module_hash']);
    expect(await client.management('stored_chunks', target(copy))).toEqual([
      { hash: new Uint8Array(createHash('sha256').update(chunk).digest()) },
    ]);
    await client.management('delete_canister_snapshot', { ...target(source), snapshot_id: taken.id });
    await client.restart();
    expect(await state(copy)).toBe(await state(source));
  });

  test('reading and writing beyond a snapshot, and writing to a taken one, are refused', async () => {
    const id = await client.deploy(module);
    const { id: snapshot } = await take(id);
    const name = { ...target(id), snapshot_id: snapshot };
    const read = (kind: object): Promise<unknown> =>
      client.management('read_canister_snapshot_data', { ...name, kind });
    await expect(read({ wasm_memory: { offset: 196_600n, size: 9n } })).rejects.toMatchObject({
      code: 'IC0408',
    });
    await expect(read({ wasm_memory: { offset: 0n, size: 2_000_001n } })).rejects.toThrow(/slice too large/);
    await expect(read({ wasm_chunk: { hash: new Uint8Array(32) } })).rejects.toMatchObject({
      code: 'IC0504',
    });
    await expect(
      client.management('upload_canister_snapshot_data', {
        ...name,
        kind: { wasm_memory: { offset: 0n } },
        chunk: new Uint8Array(1),
      }),
    ).rejects.toMatchObject({ code: 'IC0409' });
  });

  test('an uploaded snapshot that fits no module, or the wrong one, is not loaded', async () => {
    const id = await client.deploy(module);
    await client.update(id, 'set', word(3));
    const before = await state(id);
    const { id: taken } = await take(id);
    const meta = await metadata(id, taken);
    const upload = async (changes: object, bytes = module): Promise<Uint8Array> => {
      const arg = { ...target(id), ...uploaded(meta), wasm_module_size: BigInt(bytes.length), ...changes };
      const { snapshot_id } = (await client.management('upload_canister_snapshot_metadata', arg)) as {
        snapshot_id: Uint8Array;
      };
      const kind = { wasm_module: { offset: 0n } };
      await client.management('upload_canister_snapshot_data', {
        ...target(id),
        snapshot_id,
        kind,
        chunk: bytes,
      });
      return snapshot_id;
    };
    await expect(load(id, await upload({}, new Uint8Array(50)))).rejects.toMatchObject({ code: 'IC0505' });
    await expect(load(id, await upload({ globals: meta.globals.slice(1) }))).rejects.toThrow(
      /exported globals of canister module and snapshot metadata do not match/,
    );
    await expect(load(id, await upload({ on_low_wasm_memory_hook_status: { ready: null } }))).rejects.toThrow(
      /inconsistent with the canister's state/,
    );
    await expect(upload({ wasm_memory_size: 1n })).rejects.toMatchObject({ code: 'IC0408' });
    expect(await state(id)).toBe(before);
  });

  test('the history tells where a loaded snapshot came from', async () => {
    const proxy = await Proxy.deploy(client);
    const source = await client.deploy(module);
    const copy = await client.create();
    const taken = await take(source);
    await load(copy, taken.id);
    const info = (await proxy.call('canister_info', { ...target(copy), num_requested_changes: 1n })) as {
      recent_changes: { details: object; origin: object }[];
    };
    expect(info.recent_changes).toMatchObject([
      {
        origin: { from_user: { user_id: principal(ALICE) } },
        details: {
          load_snapshot: {
            from_canister_id: [principal(source)],
            snapshot_id: taken.id,
            taken_at_timestamp: taken.taken_at_timestamp,
          },
        },
      },
    ]);
  });

  test('a deleted canister takes its snapshots with it', async () => {
    const id = await client.deploy(module);
    const { id: snapshot } = await take(id);
    await client.management('stop_canister', target(id));
    await client.management('delete_canister', target(id));
    const other = await client.create();
    await expect(load(other, snapshot)).rejects.toMatchObject({ code: 'IC0305' });
  });
});
