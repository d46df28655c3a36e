import { createHash } from 'node:crypto';
import { cyclesLedger } from '@cannery/system';
import { domainSeparator } from '@cannery/ic/certification/signatures/hash';
import { startSigner } from '@cannery/ic/certification/signatures/signer';
import { blsVerify } from '@icp-sdk/core/agent';
import { decodeEncoded } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Principal } from '@icp-sdk/core/principal';
import { expect, test } from 'vitest';
import { type Counter, counterInterface, counterWasm } from '../../test/canisters/motoko-counter.ts';
import { testKeys } from './test-keys.ts';
import { CallRejectedError, CallUnansweredError, NetworkEndedError, TestNetwork } from './test-network.ts';

const MONTH_MILLIS = 30 * 24 * 3_600_000;
const URL_OF_API = 'https://example.com/a';
const PUBLIC_KEY_BYTES = 96;
const ALICE = Principal.fromUint8Array(Uint8Array.of(1, 2, 3));
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function withCounter(network: TestNetwork): Promise<{ id: Principal; counter: Counter }> {
  const id = await network.createCanister();
  await network.install(id, counterWasm());
  return { id, counter: network.actor<Counter>(id, counterInterface) };
}

/** All that a test can see of a network that does some of everything. */
async function transcript(seed: number): Promise<string[]> {
  await using network = await TestNetwork.open({ seed });
  const { id, counter } = await withCounter(network);
  const other = await withCounter(network);
  // Both at once: which comes first is not left to chance.
  const random = await Promise.all([counter.random(), other.counter.random(), counter.random()]);
  const asked = await network.submit(id, 'inc');
  const reply = sha256(await asked.reply());
  await network.advance(MONTH_MILLIS);
  await counter.inc();
  return [
    id.toText(),
    other.id.toText(),
    ...random.map((bytes) => Buffer.from(bytes).toString('hex')),
    reply,
    String(await counter.get()),
    String(await counter.now()),
    String(network.time()),
    String((await network.canister(id))?.cycles),
    sha256(await network.stableMemory(id)),
  ];
}

test('two networks with one seed do the same, one with another seed has other randomness', async () => {
  const first = await transcript(1);
  expect(await transcript(1)).toEqual(first);
  expect(new Set(first.slice(2, 5)).size).toBe(3);
  const other = await transcript(2);
  expect(other.slice(0, 2)).toEqual(first.slice(0, 2));
  for (const at of [2, 3, 4]) expect(other[at]).not.toBe(first[at]);
});

test('an error says what was called and why it failed', async () => {
  await using network = await TestNetwork.open();
  const { id, counter } = await withCounter(network);
  const error = await counter.fail().catch((each: unknown) => each);
  expect(error).toBeInstanceOf(CallRejectedError);
  expect(error).toMatchObject({ method: 'fail', rejectCode: 5, errorCode: 'IC0503' });
  expect(String(error)).toContain(`fail of canister ${id.toText()} was rejected (5 CANISTER_ERROR IC0503)`);
  expect(String(error)).toContain('on purpose');
  await expect(network.update(id, 'nothing')).rejects.toThrow(CallRejectedError);
  await expect(network.query(id, 'nothing')).rejects.toMatchObject({ errorCode: 'IC0536' });
  const stranger = network.install(id, counterWasm(), { mode: 'reinstall', sender: ALICE });
  await expect(stranger).rejects.toMatchObject({ method: 'install_code', errorCode: 'IC0512' });
  expect(await counter.get()).toBe(0n);
});

test('time is the test’s', async () => {
  const startTime = new Date('2030-01-01T00:00:00Z');
  await using network = await TestNetwork.open({ startTime });
  expect(network.time()).toBe(BigInt(startTime.getTime()) * 1_000_000n);
  const { counter } = await withCounter(network);
  await network.advance(MONTH_MILLIS);
  const later = network.time();
  expect(later).toBeGreaterThanOrEqual(BigInt(startTime.getTime() + MONTH_MILLIS) * 1_000_000n);
  expect(await counter.now()).toBe(later);
  await expect(network.advance(-1)).rejects.toThrow(RangeError);
  await network.tick(3);
  expect(network.time() - later).toBe(3n);
});

test('a test answers the HTTP requests of canisters, and hears of those that wait', async () => {
  await using network = await TestNetwork.open({ fees: 'free' });
  const { id, counter } = await withCounter(network);
  const waiting = await network.submit(id, 'fetch', new Uint8Array(IDL.encode([IDL.Text], [URL_OF_API])));
  await network.tick();
  const [asked] = await network.outcalls();
  expect(asked).toMatchObject({ url: URL_OF_API, canister: id.toUint8Array() });
  if (!asked) throw new Error('No request waits.');
  await network.answerOutcall(asked, { status: 200n, headers: [], body: Uint8Array.of(7) });
  const answer = decodeEncoded(await waiting.reply(), [IDL.Nat, IDL.Vec(IDL.Nat8)]);
  expect(answer).toEqual([200n, Uint8Array.of(7)]);

  const unanswered = await counter.fetch(URL_OF_API).catch((each: unknown) => each);
  expect(unanswered).toBeInstanceOf(CallUnansweredError);
  expect(String(unanswered)).toContain('HTTP requests that wait for answerOutcall: 1');
  const [outcall] = await network.outcalls();
  expect(outcall).toMatchObject({ url: URL_OF_API, canister: id.toUint8Array() });
  if (!outcall) throw new Error('No request waits.');
  await network.answerOutcall(outcall, { status: 200n, headers: [], body: Uint8Array.of(7) });
  await network.tick();
  expect(await network.outcalls()).toEqual([]);
  await expect(network.answerOutcall(outcall, { rejectCode: 2, message: 'no' })).rejects.toThrow('waits');
});

test('cycles, stable memory and certificates are at hand', async () => {
  await using network = await TestNetwork.open({ seed: 'certified', fees: 'free' });
  const { id, counter } = await withCounter(network);
  const before = (await network.canister(id))?.cycles ?? 0n;
  expect(await network.addCycles(id, 5n)).toBe(before + 5n);
  await network.setStableMemory(id, Uint8Array.of(1, 2, 3));
  expect([...(await network.stableMemory(id)).subarray(0, 4)]).toEqual([1, 2, 3, 0]);
  await counter.certify(Uint8Array.of(9));
  const [certificate] = await counter.certificate();
  expect(certificate?.length).toBeGreaterThan(100);
});

test('the ledger of cycles is there where it is asked for', async () => {
  await using network = await TestNetwork.open({ services: ['cycles-ledger'] });
  const ledger = network.actor<{ icrc1_symbol(): Promise<string> }>(
    Principal.fromText(cyclesLedger.id),
    ({ IDL }) => IDL.Service({ icrc1_symbol: IDL.Func([], [IDL.Text], ['query']) }),
  );
  expect(await ledger.icrc1_symbol()).toBe('TCYCLES');
});

test('what is asked of a closed network is rejected', async () => {
  const network = await TestNetwork.open();
  const { counter } = await withCounter(network);
  await network.close();
  await network.close();
  await expect(counter.get()).rejects.toThrow(NetworkEndedError);
});

test('the root key that all test networks share is a pair', async () => {
  const { rootSecretKey, rootKey } = testKeys('any');
  const signer = startSigner(rootSecretKey);
  const signature = await signer.sign(new Uint8Array(32));
  await signer.close();
  const message = Buffer.concat([domainSeparator('ic-state-root'), new Uint8Array(32)]);
  expect(blsVerify(rootKey.slice(-PUBLIC_KEY_BYTES), signature, new Uint8Array(message))).toBe(true);
  expect(testKeys('1').nodeId).not.toEqual(testKeys('2').nodeId);
});
