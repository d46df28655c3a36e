import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLocalNetwork, type LocalNetwork } from '@cannery/network';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { AheadTime } from '../../src/network/network-time.ts';
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
  const time = new AheadTime();
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
