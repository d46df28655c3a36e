import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';
import { EMPTY, principal, TestClient } from '../../test/engine-client.ts';
import { MESSENGER_WAT } from '../../test/canisters/messenger-canister.ts';
import { CALLEE } from '../../test/canisters/motoko-canisters.ts';
import { CALLER_WAT } from '../../test/canisters/text-canisters.ts';
import { wat } from '../../../wasm/test/wasm.ts';

const CAPACITY = 500;
const NO_ARGUMENT = new Uint8Array(0);
/** An opaque ID no subnet hands out. */
const NOT_A_CANISTER = Uint8Array.of(1, 2, 3, 4, 5, 6, 7);

const u32s = (bytes: Uint8Array): number[] => [...new Uint32Array(bytes.slice().buffer)];
const u32 = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
const range = (count: number, from: number): number[] => Array.from({ length: count }, (_, i) => from + i);
const destination = (id: Uint8Array, ...rest: Uint8Array[]): Uint8Array =>
  Buffer.concat([Uint8Array.of(id.length), id, ...rest]);

describe('messages between canisters', { timeout: 30_000 }, () => {
  let client: TestClient;
  let first: Uint8Array;
  let second: Uint8Array;
  let holder: Uint8Array;
  let caller: Uint8Array;

  beforeAll(async () => {
    client = await TestClient.start({ fees: 'free', instructionLimits: { update: 20_000_000n } });
    const messenger = wat(MESSENGER_WAT);
    first = await client.deploy(messenger, { arg: NO_ARGUMENT });
    second = await client.deploy(messenger, { arg: NO_ARGUMENT });
    caller = await client.deploy(wat(CALLER_WAT), { arg: NO_ARGUMENT });
    holder = await client.deploy(compileMotoko(CALLEE));
  }, 120_000);
  afterAll(() => client[Symbol.asyncDispose]());

  const burst = async (from: Uint8Array, to: Uint8Array, count: number, tag: number): Promise<number[]> =>
    u32s(await client.update(from, 'burst', destination(to, u32(count), u32(tag))));
  const notes = async (of: Uint8Array): Promise<number[]> => u32s(await client.query(of, 'notes'));
  const settled = (): Promise<void> => client.advance(1n);
  const number = async (of: Uint8Array, method: string): Promise<number> =>
    u32s(await client.query(of, method))[0] ?? -1;
  const relayed = async (to: Uint8Array, method: string): Promise<string> =>
    Buffer.from(await client.update(caller, 'relay', destination(to, Buffer.from(method)))).toString();
  const pay = async (to: Uint8Array, seconds: number, method: string): Promise<Uint8Array> =>
    await client.submit(first, 'pay', destination(to, Uint8Array.of(seconds), Buffer.from(method)));

  test('arrive in the order in which they were sent, for each pair of canisters', async () => {
    const [before, own] = [await notes(second), await notes(first)];
    await Promise.all([
      burst(first, second, 100, 1_000),
      burst(second, second, 100, 2_000),
      burst(first, second, 100, 3_000),
      burst(second, first, 100, 4_000),
    ]);
    await settled();
    const seen = (await notes(second)).slice(before.length);
    const fromFirst = seen.filter((value) => value < 2_000 || value >= 3_000);
    const batches = [range(100, 1_000), range(100, 3_000)];
    expect([batches.flat(), batches.toReversed().flat()]).toContainEqual(fromFirst);
    expect(seen.filter((value) => value >= 2_000 && value < 3_000)).toEqual(range(100, 2_000));
    expect((await notes(first)).slice(own.length)).toEqual(range(100, 4_000));
  });

  test('find room for 500 between two canisters, each way, until they are answered', async () => {
    const before = await number(first, 'answered');
    // Both in one batch: no answer comes back before the last call of a burst was performed.
    const [there, back] = await Promise.all([
      burst(first, second, CAPACITY + 7, 10_000),
      burst(second, first, CAPACITY + 3, 20_000),
    ]);
    expect([there, back]).toEqual([
      [CAPACITY, 2],
      [CAPACITY, 2],
    ]);
    await settled();
    expect(await number(first, 'answered')).toBe(before + CAPACITY);
    expect(await burst(first, second, CAPACITY, 30_000)).toEqual([CAPACITY, 0]);
    await settled();
    expect(await number(first, 'answered')).toBe(before + 2 * CAPACITY);
  });

  test('bring the code of the error to a caller that is a canister', async () => {
    expect(await relayed(first, 'trap')).toMatch(
      /^IC0502: Error from Canister .*: Canister trapped: unreachable\./,
    );
    expect(await relayed(first, 'absent')).toMatch(
      /^IC0536: Error from Canister .* no update method 'absent'/,
    );
    expect(await relayed(first, 'silent')).toBe('No response');
    expect(await relayed(NOT_A_CANISTER, 'x')).toBe(
      `No route to canister ${principal(NOT_A_CANISTER).toText()}`,
    );
    const gone = await client.create();
    await client.management('stop_canister', { canister_id: principal(gone) });
    expect(await relayed(gone, 'x')).toBe(`Canister ${principal(gone).toText()} is stopped`);
    await client.management('delete_canister', { canister_id: principal(gone) });
    expect(await relayed(gone, 'x')).toBe(`Canister ${principal(gone).toText()} not found`);
    await expect(client.update(first, 'silent')).rejects.toMatchObject({ code: 'IC0506', rejectCode: 5 });
  });

  test('that nobody waits for any more give their cycles back, and are not carried out', async () => {
    const [ours, theirs] = await Promise.all([client.cycles(first), notes(second)]);
    expect(u32s(unwrapped(await client.outcome(await pay(second, 0, 'note'))))).toEqual([6]);
    await settled();
    expect(await notes(second)).toEqual(theirs);
    expect(await client.cycles(first)).toBe(ours);
  });

  test('answered too late bring nothing but their cycles', async () => {
    const ours = await client.cycles(first);
    const held = await pay(holder, 1, 'hold');
    await expect.poll(() => client.statusOf(held)).toBe('processing');
    expect(await client.cycles(first)).toBe(ours - 1_000n);
    await expect.poll(() => client.outcome(held)).toMatchObject({ status: 'replied' });
    expect(u32s(unwrapped(await client.outcome(held)))).toEqual([6]);
    expect(await client.cycles(first)).toBe(ours - 1_000n);
    await client.update(holder, 'release', EMPTY);
    await settled();
    expect(await client.cycles(first)).toBe(ours);
  });

  test('whose callback uses up its instructions leave some to the cleanup', async () => {
    await expect(client.update(first, 'endless_callback')).rejects.toMatchObject({
      code: 'IC0522',
      message: expect.stringContaining('limit of 19000000 instructions'),
    });
    expect(await number(first, 'cleanups')).toBe(1);
  });
});

function unwrapped(outcome: Awaited<ReturnType<TestClient['outcome']>>): Uint8Array {
  if (outcome.status !== 'replied') throw new Error(outcome.message);
  return outcome.reply;
}
