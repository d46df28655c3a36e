import { IDL } from '@icp-sdk/core/candid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CALLEE, CALLER } from '../canisters/motoko-canisters.ts';
import {
  ALICE,
  asNat,
  asText,
  canisterId,
  EMPTY,
  id,
  nat,
  principal,
  TestClient,
  text,
} from '../engine-client.ts';
import { compileMotoko } from '../../../network/test/compile-motoko.ts';

describe('calls between canisters', { timeout: 60_000 }, () => {
  let client: TestClient;
  let callee: Uint8Array;
  let caller: Uint8Array;

  beforeAll(async () => {
    client = await TestClient.start({ fees: 'free' });
    callee = await client.deploy(compileMotoko(CALLEE), { cycles: 5_000_000_000_000n });
    caller = await client.deploy(compileMotoko(CALLER), { cycles: 7_000_000_000_000n, arg: id(callee) });
  }, 120_000);
  afterAll(() => client[Symbol.asyncDispose]());

  test('a reply comes back', async () => {
    expect(asNat(await client.update(caller, 'twice', nat(21)))).toBe(42n);
  });

  test('a trap, a reject and a missing method of the callee can be caught', async () => {
    expect(asText(await client.update(caller, 'tryFail'))).toContain('callee gave up');
    expect(asText(await client.update(caller, 'tryRefuse'))).toBe('not today');
    expect(asText(await client.update(caller, 'tryMissing'))).toContain("no update method 'missing'");
    expect(asNat(await client.query(caller, 'marks'))).toBe(1n);
  });

  test('a trap after an await keeps what came before it and rejects the call', async () => {
    const before = asNat(await client.query(caller, 'marks'));
    await expect(client.update(caller, 'trapAfterAwait')).rejects.toMatchObject({
      code: 'IC0503',
      rejectCode: 5,
    });
    expect(asNat(await client.query(caller, 'marks'))).toBe(before + 1n);
  });

  test('self-calls and parallel calls are answered', async () => {
    expect(asNat(await client.update(caller, 'selfCall', nat(1)))).toBe(2n);
    expect(asNat(await client.update(caller, 'parallel', nat(50)))).toBe(2450n);
  });

  test('cycles are moved exactly, and what is not accepted comes back', async () => {
    const [ours, theirs] = await Promise.all([client.cycles(caller), client.cycles(callee)]);
    const reply = await client.update(
      caller,
      'pay',
      new Uint8Array(IDL.encode([IDL.Nat, IDL.Nat], [1_000_000_007n, 400_000_003n])),
    );
    expect(IDL.decode([IDL.Nat, IDL.Nat], reply.slice())).toEqual([400_000_003n, 600_000_004n]);
    expect(await client.cycles(caller)).toBe(ours - 400_000_003n);
    expect(await client.cycles(callee)).toBe(theirs + 400_000_003n);
  });

  test('a call with more cycles than the balance fails and changes nothing', async () => {
    const ours = await client.cycles(caller);
    const arg = new Uint8Array(IDL.encode([IDL.Nat, IDL.Nat], [ours + 1n, 1n]));
    await expect(client.update(caller, 'pay', arg)).rejects.toThrow(/out of cycles/);
    expect(await client.cycles(caller)).toBe(ours);
  });

  test('a timer fires once', async () => {
    await client.update(caller, 'startTimer', nat(0));
    await expect.poll(async () => asNat(await client.query(caller, 'ticked'))).toBe(1n);
  });

  test('what a canister prints is in its log', async () => {
    await client.update(caller, 'say', text('hello log'));
    const logs = (await client.managementQuery('fetch_canister_logs', {
      canister_id: principal(caller),
    })) as {
      canister_log_records: { content: Uint8Array }[];
    };
    const lines = logs.canister_log_records.map(({ content }) => Buffer.from(content).toString());
    expect(lines).toContain('hello log');
    expect(lines.some((line) => line.startsWith('[TRAP]: after await'))).toBe(true);
  });

  test('uninstalling rejects the open calls on both sides; late answers find nobody and do no harm', async () => {
    const released = await client.deploy(compileMotoko(CALLEE));
    const waiter = await client.deploy(compileMotoko(CALLER), { arg: id(released) });
    const self = { canister_id: principal(waiter) };
    const waiting = await client.submit(waiter, 'waitForPeer', EMPTY);
    await expect.poll(() => client.statusOf(waiting)).toBe('processing');
    await client.management('uninstall_code', self);
    expect(await client.outcome(waiting)).toMatchObject({ status: 'rejected', errorCode: 'IC0406' });
    // The call is still in flight: the canister stops only when its answer is back.
    const stop = await client.submit(
      new Uint8Array(0),
      'stop_canister',
      canisterId(waiter),
      ALICE,
      undefined,
      waiter,
    );
    await expect.poll(() => client.statusOf(stop)).toBe('processing');
    await client.restart();
    expect((await client.status(waiter))['status']).toEqual({ stopping: null });
    await client.update(released, 'release');
    expect(await client.outcome(stop)).toMatchObject({ status: 'replied' });
    await client.management('start_canister', self);
    await client.install(waiter, compileMotoko(CALLER), { arg: id(released) });
    expect(asNat(await client.update(waiter, 'twice', nat(4)))).toBe(8n);

    const other = await client.deploy(compileMotoko(CALLEE));
    const patient = await client.deploy(compileMotoko(CALLER), { arg: id(other) });
    const open = await client.submit(patient, 'waitForPeer', EMPTY);
    await expect.poll(() => client.statusOf(open)).toBe('processing');
    await client.management('uninstall_code', { canister_id: principal(other) });
    expect(await client.outcome(open)).toMatchObject({ status: 'rejected' });
  });

  test('stopping waits for the open call, rejects new ones, and then answers', async () => {
    const self = { canister_id: principal(caller) };
    const stop = (): Promise<Uint8Array> =>
      client.submit(new Uint8Array(0), 'stop_canister', canisterId(caller), ALICE, undefined, caller);
    const waiting = await client.submit(caller, 'waitForPeer', EMPTY);
    await expect.poll(() => client.statusOf(waiting)).toBe('processing');
    const cancelled = await stop();
    await expect.poll(async () => (await client.status(caller))['status']).toEqual({ stopping: null });
    await expect(client.update(caller, 'bump')).rejects.toMatchObject({ code: 'IC0509' });
    await expect(client.query(caller, 'marks')).rejects.toMatchObject({ code: 'IC0509' });
    await expect.poll(() => client.statusOf(cancelled)).toBe('processing');
    await client.management('start_canister', self);
    expect(await client.outcome(cancelled)).toMatchObject({ status: 'rejected', errorCode: 'IC0511' });
    const stopped = await stop();
    await client.restart();
    expect((await client.status(caller))['status']).toEqual({ stopping: null });
    await client.update(callee, 'release');
    expect(await client.outcome(stopped)).toMatchObject({ status: 'replied' });
    expect(await client.outcome(waiting)).toMatchObject({ status: 'replied' });
    expect((await client.status(caller))['status']).toEqual({ stopped: null });
    await expect(client.update(caller, 'bump')).rejects.toMatchObject({ code: 'IC0508' });
    await expect(
      client.management('delete_canister', { canister_id: principal(callee) }),
    ).rejects.toMatchObject({
      code: 'IC0510',
    });
    await client.management('delete_canister', self);
    expect(client.canisters.has(Buffer.from(caller).toString('hex'))).toBe(false);
    await expect(client.query(caller, 'marks')).rejects.toMatchObject({ code: 'IC0301' });
  });
});
