import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { describe, expect, test } from 'vitest';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { ForeignNetwork, LONG_MS } from '../support/foreign-network.ts';
import { showPrincipal, startNetworkProgram } from '../support/server-process.ts';
import { installTalkative, say } from './talkative-canister.ts';

const T = 1_000_000_000_000n;
const world = new ForeignNetwork();
const { start, balance, cyclesOf, config, topUp } = world;

describe('IC_URL names a local network', () => {
  test(
    'the main path works there: create, install, logs, stop, start, top up, delete',
    async () => {
      await start({ IC_URL: `${world.url}/` });
      const principal = /^Principal of this console: (\S+)$/m.exec(world.product.output.join('\n'))?.[1];
      expect(world.product.output[0]).toBe(`Network: ${world.url} (local network; cycles come from nothing)`);
      expect(await showPrincipal({ DATA_DIR: world.dataDir, IC_URL: world.url })).toContain(
        `Principal of this console: ${principal}\n`,
      );
      const { port } = new URL(world.url);
      expect(await config()).toMatchObject({
        network_url: world.url,
        network_is_local: true,
        delete_returns_cycles: true,
        canister_url_pattern: `http://{canisterId}.localhost:${port}/`,
      });

      const id = await world.ada.create('Abroad');
      await installTalkative(world.ada, id);
      expect(await say(world.url, id, 'hello from abroad')).toBe('hello from abroad');
      const logs = await world.ada.get(`/canister/logs/${id}`);
      expect(JSON.stringify(logs.body)).toContain('hello from abroad');
      expect((await world.ada.post('/canister/stop', { canister_id: id })).status).toBe(200);
      expect((await world.ada.post('/canister/start', { canister_id: id })).status).toBe(200);
      expect((await topUp(id, 3)).status).toBe(200);
      expect(await cyclesOf(id)).toBe(5n * T);
      expect((await world.ada.post('/canister/stop', { canister_id: id })).status).toBe(200);
      expect((await world.ada.post('/canister/delete', { canister_id: id })).body.refunded).toBe(
        String(5n * T),
      );
      expect(await balance()).toBe(60n * T);
    },
    LONG_MS,
  );

  test(
    'a network that is away says so, and works as soon as it is there, even made again',
    async () => {
      const own = join(world.folder, 'own');
      let abroad = await startNetworkProgram(own);
      const port = Number(new URL(abroad.url).port);
      await abroad.kill('SIGTERM');
      await start({ IC_URL: abroad.url });
      const refused = { status: 503, body: { code: 'network_unavailable' } };
      const create = () => world.ada.post('/canister/create', { name: 'Patient' });
      expect(await create()).toMatchObject(refused);
      expect((await create()).body.error).toBe('The network cannot be reached right now.');
      expect((await world.ada.get('/health')).body).toMatchObject({ status: 'degraded', network: false });
      expect(await balance()).toBe(60n * T);

      abroad = await startNetworkProgram(own, port);
      const first = await world.ada.create('First');
      expect((await world.ada.get('/health')).body).toMatchObject({ status: 'ok', network: true });
      await abroad.kill('SIGKILL');
      expect(await world.ada.post('/canister/stop', { canister_id: first })).toMatchObject(refused);

      abroad = await startNetworkProgram(own, port);
      expect((await world.ada.post('/canister/stop', { canister_id: first })).status).toBe(200);
      await abroad.kill('SIGTERM');
      // Another root key: nothing the old network said holds any more.
      abroad = await startNetworkProgram(join(world.folder, 'again'), port);
      await expect.poll(async () => (await create()).status).toBe(200);
      await abroad.kill('SIGTERM');
    },
    LONG_MS,
  );

  test('mainnet must prove itself by the root key that is built in: it is never asked for one', async () => {
    const identity = Ed25519KeyIdentity.generate();
    const local = createIcClient({ icUrl: world.url, identity });
    const id = await local.createCanister({ cyclesAmount: T });
    expect((await local.status(id)).cycles).toBe(T);
    const pretended = createIcClient({ icUrl: world.url, identity, isMainnet: true });
    const unverified = {
      code: 'network_unavailable',
      message: "The network's answer could not be verified.",
    };
    await expect(pretended.status(id)).rejects.toMatchObject(unverified);
    await expect(pretended.status(id, { fast: true })).rejects.toMatchObject(unverified);
    await expect(pretended.moduleHash(id)).rejects.toMatchObject(unverified);
  });
});

test('a repeated payment that does not reach the ledger is not over: only the word of the ledger counts', async () => {
  const identity = Ed25519KeyIdentity.generate();
  const local = createIcClient({ icUrl: world.url, identity });
  // A canister without code refuses every call, as a ledger does that is being upgraded.
  const cyclesLedger = await local.createCanister({ cyclesAmount: T });
  const client = createIcClient({ icUrl: world.url, identity, cyclesLedger });
  const payment = await client.signTopUp(cyclesLedger, T);
  const refused = await client.submit(payment, { isFresh: true });
  expect(refused.status).toBe('rejected');
  const again = await client.signAgain(payment);
  expect(again.requestId).not.toBe(payment.requestId);
  expect(await client.submit(again)).toMatchObject({ status: 'again' });
});
