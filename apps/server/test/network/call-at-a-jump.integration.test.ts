import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { NetworkClock } from '../../src/network/network-time.ts';
import { type NetworkProxy, startNetworkProxy } from '../support/network-proxy.ts';

let dataDir: string;
let network: LocalNetwork;
let proxy: NetworkProxy;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cannery-jump-'));
  network = await createLocalNetwork({ dataDir, port: 0 });
  proxy = await startNetworkProxy(network.url);
});
afterAll(async () => {
  await proxy.close();
  await network.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Longer than any call is valid; milliseconds. */
const JUMP_MS = 10 * 60_000;
/** The tests fail by their time limit of three minutes where a call is waited for until it expires. */
const SOON_MS = 20_000;

test('a call that a node has taken and lost is given up as soon as time is set past its expiry', async () => {
  const time = new NetworkClock({ isRight: true });
  time.hear(0);
  const client = createIcClient({ icUrl: proxy.url, identity: Ed25519KeyIdentity.generate(), time });
  const canister = await client.createCanister({ cyclesAmount: 2_000_000_000_000n });

  for (const [method, act, ahead] of [
    ['stop_canister', () => client.stop(canister), JUMP_MS],
    [
      'provisional_create_canister_with_cycles',
      () => client.createCanister({ cyclesAmount: 10n ** 12n }),
      2 * JUMP_MS,
    ],
  ] as const) {
    const lost = proxy.lose(method);
    const done = act().then(() => 'done', String);
    await lost;
    const begun = performance.now();
    await network.advanceTime(BigInt(JUMP_MS) * 1_000_000n);
    // The server hears of it a little later.
    await delay(600);
    time.hear(ahead);
    expect(await done, method).toContain('did not answer the call in time');
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
  }
  // It is free, and was never stopped.
  expect((await client.status(canister)).status).toBe('running');
});

test('what became of a call is known after a jump, and one that is sent after it was not carried out', async () => {
  const time = new NetworkClock({ isRight: true });
  time.hear(Number(network.controls.aheadMs));
  const client = createIcClient({ icUrl: network.url, identity: Ed25519KeyIdentity.generate(), time });
  const canister = await client.createCanister({ cyclesAmount: 2_000_000_000_000n });
  const [done, never] = await Promise.all([1n, 2n].map((cycles) => client.signTopUp(canister, cycles)));
  if (done === undefined || never === undefined) throw new Error('two were signed');
  expect((await client.submit(done, { isFresh: true })).status).toBe('replied');

  await network.advanceTime(86_400_000_000_000n);
  const early = await client.stop(canister).then(() => 'stopped', String);
  expect(early, 'the server has not heard of the jump').toContain("network's time was set");
  // Requests are forgotten now and then, and when the state changes.
  await network.advanceTime(3_600_000_000_000n);
  time.hear(network.controls.aheadMs);
  await client.start(canister);
  expect((await client.outcome(done)).status).toBe('replied');
  expect((await client.submit(done)).status).toBe('replied');
  expect((await client.submit(never, { isFresh: true })).status).toBe('rejected');
  expect((await client.submit(never)).status, 'who does not know whether it was sent').toBe('unknown');
  expect((await client.status(canister)).status).toBe('running');
});
