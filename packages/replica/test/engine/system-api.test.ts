import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLEE } from '../canisters/motoko-canisters.ts';
import { ALICE, EMPTY, principal, TestClient } from '../engine-client.ts';
import { CALLER_WAT, COUNTER_WAT, SYSTEM_WAT } from '../canisters/text-canisters.ts';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const u64 = (bytes: Uint8Array): bigint => Buffer.from(bytes).readBigUInt64LE();

describe('system API', { timeout: 60_000 }, () => {
  let client: TestClient;
  let canister: Uint8Array;
  let counter: Uint8Array;
  let caller: Uint8Array;

  beforeAll(async () => {
    client = await TestClient.start({ instructionLimits: { update: 50_000_000n } });
    canister = await client.create({
      settings: { environment_variables: [{ name: 'COLOUR', value: 'blue' }] },
    });
    await client.install(canister, wat(SYSTEM_WAT));
    counter = await client.deploy(wat(COUNTER_WAT));
    caller = await client.deploy(wat(CALLER_WAT));
  }, 60_000);
  afterAll(() => client[Symbol.asyncDispose]());

  const target = (id: Uint8Array, method: string): Uint8Array =>
    Uint8Array.from([id.length, ...id, ...Buffer.from(method)]);

  test('caller, version and execution mode', async () => {
    expect(await client.update(canister, 'who')).toEqual(ALICE);
    const first = u64(await client.update(canister, 'version_now'));
    expect(u64(await client.update(canister, 'version_now'))).toBe(first + 1n);
    expect(await client.query(canister, 'replicated')).toEqual(Uint8Array.of(0, 0, 0, 0));
    expect(await client.update(canister, 'replicated')).toEqual(Uint8Array.of(1, 0, 0, 0));
  });

  test('environment variables of the settings are seen, also after a change', async () => {
    expect(Buffer.from(await client.query(canister, 'colour')).toString()).toBe('blue');
    await client.management('update_settings', {
      canister_id: principal(canister),
      settings: { environment_variables: [{ name: 'COLOUR', value: 'green' }] },
    });
    expect(Buffer.from(await client.query(canister, 'colour')).toString()).toBe('green');
  });

  test('the start function runs once, at installation', async () => {
    expect(u64(await client.query(canister, 'starts'))).toBe(1n);
    await client.restart();
    expect(u64(await client.query(canister, 'starts'))).toBe(1n);
  });

  test('instructions are counted and limited, and the canister lives on', async () => {
    expect(u64(await client.query(canister, 'instructions'))).toBeGreaterThan(200n);
    await expect(client.update(canister, 'forever')).rejects.toMatchObject({
      code: 'IC0522',
      message: expect.stringContaining('exceeded the limit of 50000000 instructions'),
    });
    expect(u64(await client.query(canister, 'starts'))).toBe(1n);
  });

  test('a function called from the wrong place traps', async () => {
    await expect(client.query(canister, 'wrong_mode')).rejects.toMatchObject({
      code: 'IC0504',
      message: expect.stringContaining(
        '"ic0_global_timer_set" cannot be executed in non replicated query mode',
      ),
    });
  });

  test('cycles are burnt exactly; prices are told', async () => {
    await client.update(canister, 'burn');
    expect(
      await client.managementQuery('canister_metrics', { canister_id: principal(canister) }),
    ).toMatchObject({
      cycles_consumed: { burned_cycles: 1000n },
    });
    expect(u64(await client.query(canister, 'price'))).toBe(500_000_000_000n);
  });

  test('stable memory far out survives a restart; a trap undoes growth and writes', async () => {
    await client.update(canister, 'stable_set');
    expect(u64(await client.query(canister, 'stable_far'))).toBe(77n);
    await expect(client.update(canister, 'stable_trap')).rejects.toMatchObject({ code: 'IC0502' });
    await client.restart();
    expect(u64(await client.query(canister, 'stable_far'))).toBe(77n);
    expect(u64(await client.query(canister, 'stable_size'))).toBe(100_000n);
    expect((await client.status(canister))['memory_metrics']).toMatchObject({
      stable_memory_size: 6_553_600_000n,
    });
  });

  test('heap growth is kept or undone with its message', async () => {
    const size = async (): Promise<unknown> => (await client.status(canister))['memory_metrics'];
    await expect(client.update(canister, 'grow_trap')).rejects.toMatchObject({ code: 'IC0502' });
    expect(await size()).toMatchObject({ wasm_memory_size: 65_536n });
    await client.update(canister, 'grow_heap');
    expect(await size()).toMatchObject({ wasm_memory_size: 196_608n });
    await client.management('update_settings', {
      canister_id: principal(canister),
      settings: { wasm_memory_limit: 200_000n },
    });
    await expect(client.update(canister, 'grow_heap')).rejects.toMatchObject({ code: 'IC0539' });
    expect(await size()).toMatchObject({ wasm_memory_size: 196_608n });
  });

  test('a global timer set before a restart fires after it', async () => {
    await client.update(canister, 'set_timer');
    await client.restart();
    expect(u64(await client.query(canister, 'ticks'))).toBe(0n);
    await client.advance(3_600n);
    expect(u64(await client.query(canister, 'ticks'))).toBe(1n);
  });

  test('the data certificate must certify the current data', async () => {
    await client.update(canister, 'certify', Uint8Array.of(1, 2, 3));
    expect(client.canisters.get(Buffer.from(canister).toString('hex'))?.certifiedData).toEqual(
      Uint8Array.of(1, 2, 3),
    );
    const ask = (certifiedData: Uint8Array): Promise<object> =>
      client.engine.query({
        sender: ALICE,
        canisterId: canister,
        method: 'certificate',
        arg: EMPTY,
        dataCertificate: { certificate: Uint8Array.of(42), certifiedData },
      });
    expect(await ask(Uint8Array.of(9))).toEqual({ status: 'stale-certificate' });
    expect(await ask(Uint8Array.of(1, 2, 3))).toEqual({ status: 'replied', reply: Uint8Array.of(42) });
  });

  test('inspect_message decides who gets in', async () => {
    await expect(client.update(canister, 'secret')).rejects.toMatchObject({
      code: 'IC0406',
      admitted: false,
    });
  });

  test('calls without callbacks, with callbacks, to nowhere and with a cleanup', async () => {
    expect(u64(await client.update(caller, 'relay', target(counter, 'inc')))).toBe(1n);
    await client.update(caller, 'oneway', target(counter, 'inc'));
    await expect.poll(async () => u64(await client.query(counter, 'get'))).toBe(2n);
    const nowhere = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 99, 1, 1]);
    expect(Buffer.from(await client.update(caller, 'relay', target(nowhere, 'x'))).toString()).toContain(
      'not found',
    );
    await expect(client.update(caller, 'relay_trapping', target(counter, 'inc'))).rejects.toMatchObject({
      code: 'IC0502',
    });
    // The callback's write is undone, the cleanup's is kept.
    expect(Buffer.from(await client.query(caller, 'marks'))).toEqual(Buffer.from([0, 0, 0, 0, 5, 0, 0, 0]));
    expect(u64(await client.query(counter, 'get'))).toBe(3n);
  });

  test('a query method called as an update changes nothing', async () => {
    expect(u64(await client.update(counter, 'get'))).toBe(3n);
    expect(u64(await client.update(caller, 'relay', target(counter, 'get')))).toBe(3n);
  });

  test('a composite query calls queries, and leaves no trace', async () => {
    expect(u64(await client.query(caller, 'ask', target(counter, 'get')))).toBe(3n);
    // A call to itself starts from the committed state.
    expect(Buffer.from(await client.query(caller, 'ask', target(caller, 'marks')))).toEqual(
      Buffer.from([0, 0, 0, 0, 5, 0, 0, 0]),
    );
    await expect(client.update(caller, 'ask', target(counter, 'get'))).rejects.toMatchObject({
      code: 'IC0527',
    });
    expect(Buffer.from(await client.query(caller, 'marks'))).toEqual(Buffer.from([0, 0, 0, 0, 5, 0, 0, 0]));
  });

  test('a bounded call that is not answered in time gets SYS_UNKNOWN', async () => {
    expect(u64(await client.update(caller, 'relay_bounded', target(counter, 'get')))).toBe(3n);
    const holder = await client.deploy(compileMotoko(CALLEE));
    const reply = await client.update(caller, 'relay_bounded', target(holder, 'hold'));
    expect(Buffer.from(reply).toString()).toBe('Call deadline has expired.');
    await client.update(holder, 'release');
  });

  test('a module with an unknown import is refused', async () => {
    const id = await client.create();
    const module = wat('(module (import "ic0" "mint_gold" (func (param i64))) (memory 1))');
    await expect(client.install(id, module)).rejects.toMatchObject({
      code: 'IC0505',
      message: expect.stringContaining("'mint_gold' from 'ic0'"),
    });
    await expect(client.install(id, Uint8Array.of(1, 2, 3))).rejects.toMatchObject({ code: 'IC0505' });
    expect((await client.status(id))['module_hash']).toEqual([]);
  });
});
