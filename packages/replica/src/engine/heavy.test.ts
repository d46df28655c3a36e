import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EMPTY, principal, TestClient } from '../../test/engine-client.ts';
import { ASKER_WAT, BURNER_WAT, CROWD_WAT, FILLER_WAT } from '../../test/canisters/heavy-canisters.ts';
import { COUNTER_WAT } from '../../test/canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const bytes = (rounds: number): Uint8Array => {
  const argument = new Uint8Array(8);
  new DataView(argument.buffer).setBigUint64(0, BigInt(rounds), true);
  return argument;
};
const u64 = (reply: Uint8Array, at = 0): bigint => Buffer.from(reply).readBigUInt64LE(at);
const target = (id: Uint8Array, method: string): Uint8Array =>
  Uint8Array.from([id.length, ...id, ...Buffer.from(method)]);

/** More than a slice of the engines below, and little work for its own thread. */
const HEAVY = 100_000;
const SLICES = { messageSlice: 500_000n, querySlice: 500_000n };

describe('messages beyond a slice', { timeout: 60_000 }, () => {
  const burner = wat(BURNER_WAT);
  let client: TestClient;
  let canister: Uint8Array;
  let counter: Uint8Array;

  beforeAll(async () => {
    client = await TestClient.start({
      fees: 'free',
      heavy: { ...SLICES, laneInstructions: [2_000_000n, 20_000_000n] },
      instructionLimits: { update: 4_000_000_000n, query: 1_000_000_000n },
    });
    canister = await client.deploy(burner, { arg: new Uint8Array(0) });
    counter = await client.deploy(wat(COUNTER_WAT));
  }, 60_000);
  afterAll(() => client[Symbol.asyncDispose]());

  const runs = async (id = canister): Promise<bigint> => u64(await client.query(id, 'state'));

  test('count the same instructions as within one, and leave the same', async () => {
    await using whole = await TestClient.start({ fees: 'free', heavy: { messageSlice: 1n << 40n } });
    const other = await whole.deploy(burner, { arg: new Uint8Array(0) });
    const same = await client.deploy(burner, { arg: new Uint8Array(0) });
    for (const rounds of [10, HEAVY, 5 * HEAVY]) {
      const [light, heavy] = [
        await whole.update(other, 'counted', bytes(rounds)),
        await client.update(same, 'counted', bytes(rounds)),
      ];
      expect(heavy).toEqual(light);
      expect([await client.update(same, 'work', bytes(rounds))]).toEqual([
        await whole.update(other, 'work', bytes(rounds)),
      ]);
    }
    for (const restarted of [false, true]) {
      if (restarted) await Promise.all([client.restart(), whole.restart()]);
      expect(await client.query(same, 'state')).toEqual(await whole.query(other, 'state'));
    }
  });

  test('that trap leave nothing, and those that run on after it see the state before', async () => {
    const before = await client.query(canister, 'state');
    await expect(client.update(canister, 'work_and_trap', bytes(HEAVY))).rejects.toMatchObject({
      code: 'IC0502',
    });
    expect(await client.query(canister, 'state')).toEqual(before);
    expect(u64(await client.update(canister, 'work', bytes(1)))).toBe(u64(before) + 1n);
  });

  test('end at the limit of the message, not at that of a slice', async () => {
    await expect(client.update(canister, 'forever')).rejects.toMatchObject({
      code: 'IC0522',
      message: expect.stringContaining('limit of 4000000000 instructions'),
    });
  });

  test('let others be answered meanwhile', async () => {
    const runaway = await client.submit(canister, 'forever', EMPTY);
    await expect.poll(() => client.statusOf(runaway)).toBe('processing');
    let answered = 0;
    while (answered < 100) {
      await client.query(counter, 'get');
      if (answered % 4 === 0) await client.update(counter, 'inc');
      await client.query(canister, 'state');
      answered += 1;
    }
    expect(client.statusOf(runaway)).toBe('processing');
    expect(await client.outcome(runaway)).toMatchObject({ status: 'rejected', errorCode: 'IC0522' });
  });

  test('keep their place among the messages of their canister', async () => {
    const order = Array.from({ length: 12 }, (_, index) => index);
    const requests = await Promise.all(
      order.map((index) =>
        client.submit(canister, 'note', bytes((index % 3 === 0 ? HEAVY : 0) * 256 + index)),
      ),
    );
    await Promise.all(requests.map((request) => client.outcome(request)));
    expect([...(await client.query(canister, 'notes'))]).toEqual(order);
  });

  test('hold up management calls about their canister, and no others', async () => {
    const before = await runs();
    const runaway = await client.submit(canister, 'forever', EMPTY);
    const working = await client.submit(canister, 'work', bytes(1));
    const settings = { canister_id: principal(canister), settings: { freezing_threshold: 7_000n } };
    const setting = client.management('update_settings', settings);
    await client.management('update_settings', { ...settings, canister_id: principal(counter) });
    expect(client.statusOf(runaway)).not.toBe('rejected');
    await setting;
    expect(await client.outcome(runaway)).toMatchObject({ errorCode: 'IC0522' });
    expect(await client.outcome(working)).toMatchObject({ status: 'replied' });
    expect(await runs()).toBe(before + 1n);
  });

  test('of every kind: queries, composite queries, inspections, timers, callbacks with cleanups', async () => {
    const before = await runs();
    expect(u64(await client.query(canister, 'work_query', bytes(HEAVY)))).toBe(before + 1n);
    await expect(client.query(canister, 'forever_query')).rejects.toMatchObject({
      code: 'IC0522',
      message: expect.stringContaining('limit of 1000000000 instructions'),
    });
    const asker = await client.deploy(wat(ASKER_WAT));
    expect(u64(await client.query(asker, 'ask', target(canister, 'work_query')))).toBe(before + 1n);
    expect(await runs()).toBe(before);
    await expect(client.update(canister, 'inspected', new Uint8Array(0))).rejects.toMatchObject({
      code: 'IC0406',
      admitted: false,
    });
    expect(u64(await client.update(canister, 'inspected', bytes(1)))).toBe(before + 1n);
    await client.update(canister, 'arm');
    await expect.poll(() => runs()).toBe(before + 2n);
    await expect(client.update(canister, 'call_and_trap')).rejects.toMatchObject({ code: 'IC0502' });
    await expect.poll(() => runs()).toBe(before + 3n);
  });

  test('count in the statistics of queries', async () => {
    const calls = async (): Promise<unknown> =>
      ((await client.status(counter))['query_stats'] as { num_calls_total: bigint }).num_calls_total;
    const asker = await client.deploy(wat(ASKER_WAT));
    const before = (await calls()) as bigint;
    await client.query(counter, 'get');
    expect(await calls()).toBe(before + 1n);
    const stats = async (): Promise<{ num_calls_total: bigint; num_instructions_total: bigint }> =>
      (await client.status(canister))['query_stats'] as never;
    const first = await stats();
    await client.query(canister, 'work_query', bytes(HEAVY));
    await client.query(asker, 'ask', target(canister, 'work_query'));
    const last = await stats();
    expect(last.num_calls_total - first.num_calls_total).toBe(2n);
    expect(last.num_instructions_total - first.num_instructions_total).toBeGreaterThan(1_000_000n);
  });

  test('count what a composite query asked before it turned out to be heavy, once', async () => {
    const asker = await client.deploy(wat(ASKER_WAT));
    const asked = async (): Promise<bigint> =>
      ((await client.status(counter))['query_stats'] as { num_calls_total: bigint }).num_calls_total;
    const before = await asked();
    const both = Uint8Array.from([...target(counter, ''), ...target(canister, 'work_query')]);
    await client.query(asker, 'ask_both', both);
    expect(await asked()).toBe(before + 1n);
  });

  test('installations and upgrades', async () => {
    const fresh = await client.create();
    await client.install(fresh, burner, { arg: bytes(HEAVY) });
    expect(await runs(fresh)).toBe(1n);
    await client.update(fresh, 'work', bytes(1));
    await client.install(fresh, burner, { mode: { upgrade: [] }, arg: bytes(3 * HEAVY) });
    expect(await runs(fresh)).toBe(3n);
    await client.restart();
    expect(await runs(fresh)).toBe(3n);
    expect(u64(await client.update(fresh, 'work', bytes(HEAVY)))).toBe(4n);
  });

  test('a query sees its canister as it was when it began, whatever is committed meanwhile', async () => {
    const before = await runs();
    const [seen] = await Promise.all([
      client.query(canister, 'work_query', bytes(100 * HEAVY)),
      client.update(canister, 'work', bytes(1)),
      client.update(canister, 'work', bytes(1)),
    ]);
    expect(u64(seen)).toBeGreaterThanOrEqual(before + 1n);
    expect(await runs()).toBe(before + 2n);
  });

  test('closing does not wait for them; they run after the start', async () => {
    const before = await runs();
    const request = await client.submit(canister, 'forever', EMPTY);
    await client.submit(canister, 'work', bytes(1));
    await client.restart();
    expect(await client.outcome(request)).toMatchObject({ errorCode: 'IC0522' });
    await expect.poll(() => runs()).toBe(before + 1n);
  });
});

describe('threads that are lost or not needed', { timeout: 60_000 }, () => {
  test('a message that takes too long is rejected, and only it', async () => {
    await using client = await TestClient.start({
      fees: 'free',
      heavy: { ...SLICES, messageWallMs: 300, queryWallMs: 300 },
    });
    const canister = await client.deploy(wat(BURNER_WAT), { arg: new Uint8Array(0) });
    await client.update(canister, 'work', bytes(HEAVY));
    await expect(client.update(canister, 'forever')).rejects.toMatchObject({ code: 'IC0522' });
    await expect(client.query(canister, 'forever_query')).rejects.toMatchObject({ code: 'IC0528' });
    expect(u64(await client.update(canister, 'work', bytes(HEAVY)))).toBe(3n);
    expect(u64(await client.query(canister, 'work_query', bytes(HEAVY)))).toBe(4n);
    const id = await client.create();
    await expect(client.install(id, wat(BURNER_WAT), { arg: bytes(2 ** 40) })).rejects.toMatchObject({
      code: 'IC0522',
    });
    expect((await client.status(id))['module_hash']).toEqual([]);
  });

  test('a thread that dies takes its message with it, and nothing else', async () => {
    await using client = await TestClient.start({ fees: 'free', heavy: { ...SLICES, heapMb: 40 } });
    const crowd = await client.deploy(wat(CROWD_WAT));
    const counter = await client.deploy(wat(COUNTER_WAT));
    const request = await client.submit(crowd, 'crowd', EMPTY);
    expect(u64(await client.update(counter, 'inc'))).toBe(1n);
    expect(await client.outcome(request)).toMatchObject({ status: 'rejected', errorCode: 'IC0507' });
    expect(await client.query(crowd, 'ok')).toEqual(new Uint8Array(0));
    const burner = await client.deploy(wat(BURNER_WAT), { arg: new Uint8Array(0) });
    expect(u64(await client.update(burner, 'work', bytes(HEAVY)))).toBe(2n);
  });

  test('a thread with nothing to do ends, and gives back the memory it took', async () => {
    const mib = (): number => process.memoryUsage.rss() / 2 ** 20;
    const threads = (): number => readdirSync('/proc/self/task').length;
    await using client = await TestClient.start({
      fees: 'free',
      heavy: { ...SLICES, laneInstructions: [], idleMs: 1_000 },
      instructionLimits: { update: 500_000_000n },
    });
    const filler = await client.deploy(wat(FILLER_WAT));
    const before = { mib: mib(), threads: threads() };
    await expect(client.update(filler, 'fill_and_loop')).rejects.toMatchObject({ code: 'IC0522' });
    expect(threads()).toBeGreaterThan(before.threads);
    expect(mib()).toBeGreaterThan(before.mib + 200);
    await expect.poll(threads).toBeLessThanOrEqual(before.threads);
    await expect.poll(mib).toBeLessThan(before.mib + 100);
    expect(await client.query(filler, 'ok')).toEqual(new Uint8Array(0));
  });
});
