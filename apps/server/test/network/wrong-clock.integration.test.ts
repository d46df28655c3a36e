import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import type { IcClient } from '../../src/ic/ic-client.ts';
import { type Program, startNetworkProgram } from '../support/server-process.ts';

const T = 1_000_000_000_000n;
const HOUR_MS = 3_600_000;
/** The longest life of a call (interface specification, ingress_expiry). */
const LONGEST_MS = 5 * 60_000;

let folder: string;
/** A process with the machine's clock, while that of the client is set. */
let network: Program;
let client: IcClient;
let canister: string;
const realNow = Date.now.bind(Date);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-clock-'));
  network = await startNetworkProgram(folder);
});
afterAll(async () => {
  await network.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(realNow());
  client = createIcClient({ icUrl: network.url, identity: Ed25519KeyIdentity.generate() });
  canister = await client.createCanister({ cyclesAmount: 2n * T });
});
afterEach(() => {
  vi.useRealTimers();
});

const setClock = (hours: number): void => {
  vi.setSystemTime(realNow() + hours * HOUR_MS);
};

/** Everything that is signed: an update, a payment, a query, a certified reading, a call of a user. */
async function useAll(what: string): Promise<void> {
  await client.stop(canister);
  await client.start(canister);
  const before = (await client.status(canister, { fast: true })).cycles;
  await client.topUp(canister, T);
  expect((await client.status(canister)).cycles, what).toBe(before + T);
  expect((await client.certified(canister)).standing, what).toBe('ours');
  const call = { canisterId: canister, method: 'absent', arg: new Uint8Array(), nonce: new Uint8Array(16) };
  expect(await client.methods.update({ ...call, expiresAt: undefined }), what).toMatchObject({
    status: 'rejected',
    reject: { errorCode: 'IC0537' },
  });
}

test('everything goes on while the clock is wrong by hours, and when it is set right again', async () => {
  for (const hours of [0, 25, 0, -25, 0, 2, -2, 0]) {
    setClock(hours);
    await useAll(`${hours} h`);
  }
});

test('everything goes on with a clock that was wrong from the beginning', async () => {
  for (const hours of [25, -25]) {
    setClock(hours);
    client = createIcClient({ icUrl: network.url, identity: Ed25519KeyIdentity.generate() });
    canister = await client.createCanister({ cyclesAmount: 2n * T });
    await useAll(`${hours} h`);
  }
});

test('a payment that is signed while the clock is ahead can be carried out by nobody later', async () => {
  for (const hours of [25, -25]) {
    setClock(hours);
    const signed = await client.signTopUp(canister, T);
    const left = signed.expiresAt.getTime() - realNow();
    expect(left, `${hours} h`).toBeGreaterThan(LONGEST_MS - 120_000);
    expect(left, `${hours} h`).toBeLessThan(LONGEST_MS);
    expect((await client.submit(signed, { isFresh: true })).status).toBe('replied');
  }
});

test('what became of a call is known when the clock was set between its sending and the question', async () => {
  const signed = await client.signTopUp(canister, T);
  expect((await client.submit(signed, { isFresh: true })).status).toBe('replied');
  for (const hours of [25, -25, 0]) {
    setClock(hours);
    expect((await client.outcome(signed)).status, `${hours} h`).toBe('replied');
    expect((await client.submit(signed)).status, `${hours} h`).toBe('replied');
  }
});

test('a call of a user that is made again at another time of the clock has no second effect', async () => {
  const before = (await client.status(canister)).cycles;
  const call = {
    canisterId: canister,
    method: 'absent',
    arg: new Uint8Array(),
    nonce: new Uint8Array(16).fill(7),
    expiresAt: new Date(realNow() + 240_000),
  };
  const first = await client.methods.update(call);
  for (const hours of [25, -25, 0]) {
    setClock(hours);
    expect(await client.methods.update(call), `${hours} h`).toEqual(first);
  }
  expect((await client.status(canister)).cycles).toBe(before);
});
