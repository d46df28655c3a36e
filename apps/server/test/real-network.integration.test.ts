import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicConfig } from '@cannery/contract';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createIcClient } from '../src/ic/create-ic-client.ts';
import { ApiClient } from './client.ts';
import { type Program, showPrincipal, startNetworkProgram, startProduct } from './server-process.ts';
import { installTalkative, say } from './talkative-canister.ts';

const T = 1_000_000_000_000n;
/** For tests that start programs several times, on a machine that is busy with others. */
const LONG_MS = 180_000;

let folder: string;
let network: Program;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-real-network-'));
  network = await startNetworkProgram(join(folder, 'network'));
});
afterAll(async () => {
  await network.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

let dataDir: string;
/** Programs of one test. */
const started: Program[] = [];
let product: Program;
let ada: ApiClient;
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'));
});
afterEach(async () => {
  for (const program of started.splice(0)) await program.kill('SIGKILL');
});

async function launch(options: Record<string, string>): Promise<void> {
  product = await startProduct({ DATA_DIR: dataDir, OPENING_BALANCE_T: '60', ...options });
  started.push(product);
}

async function start(options: Record<string, string>): Promise<void> {
  await launch(options);
  ada = await ApiClient.signIn(product.url, 'ada');
}

const balance = async () => BigInt(String((await ada.get('/getInsights/')).body.balance_exact));
const cyclesOf = async (id: string) =>
  BigInt(String((await ada.get(`/canister/status/${id}/?real_time=true`)).body.cycles_exact));
const config = async () => publicConfig.parse((await ada.get('/config')).body);
const topUp = (id: string, amount: number) => ada.post('/canister/topup', { canister_id: id, amount });

describe('IC_URL names a local network', () => {
  test(
    'the main path works there: create, install, logs, stop, start, top up, delete',
    async () => {
      await start({ IC_URL: `${network.url}/` });
      const principal = /^Principal of this console: (\S+)$/m.exec(product.output.join('\n'))?.[1];
      expect(product.output[0]).toBe(`Network: ${network.url} (local network; cycles come from nothing)`);
      expect(await showPrincipal({ DATA_DIR: dataDir, IC_URL: network.url })).toContain(
        `Principal of this console: ${principal}\n`,
      );
      const { port } = new URL(network.url);
      expect(await config()).toMatchObject({
        network_url: network.url,
        network_is_local: true,
        delete_returns_cycles: true,
        canister_url_pattern: `http://{canisterId}.localhost:${port}/`,
      });

      const id = await ada.create('Abroad');
      await installTalkative(ada, id);
      expect(await say(network.url, id, 'hello from abroad')).toBe('hello from abroad');
      const logs = await ada.get(`/canister/logs/${id}`);
      expect(JSON.stringify(logs.body)).toContain('hello from abroad');
      expect((await ada.post('/canister/stop', { canister_id: id })).status).toBe(200);
      expect((await ada.post('/canister/start', { canister_id: id })).status).toBe(200);
      expect((await topUp(id, 3)).status).toBe(200);
      expect(await cyclesOf(id)).toBe(5n * T);
      expect((await ada.post('/canister/stop', { canister_id: id })).status).toBe(200);
      expect((await ada.post('/canister/delete', { canister_id: id })).body.refunded).toBe(String(5n * T));
      expect(await balance()).toBe(60n * T);
    },
    LONG_MS,
  );

  test(
    'a network that is away says so, and works as soon as it is there, even made anew',
    async () => {
      const own = join(folder, 'own');
      let abroad = await startNetworkProgram(own);
      const port = Number(new URL(abroad.url).port);
      await abroad.kill('SIGTERM');
      await start({ IC_URL: abroad.url });
      const refused = { status: 503, body: { code: 'network_unavailable' } };
      const create = () => ada.post('/canister/create', { name: 'Patient' });
      expect(await create()).toMatchObject(refused);
      expect((await create()).body.error).toBe('The network cannot be reached right now.');
      expect((await ada.get('/health')).body).toMatchObject({ status: 'degraded', network: false });
      expect(await balance()).toBe(60n * T);

      abroad = await startNetworkProgram(own, port);
      const first = await ada.create('First');
      expect((await ada.get('/health')).body).toMatchObject({ status: 'ok', network: true });
      await abroad.kill('SIGKILL');
      expect(await ada.post('/canister/stop', { canister_id: first })).toMatchObject(refused);

      abroad = await startNetworkProgram(own, port);
      expect((await ada.post('/canister/stop', { canister_id: first })).status).toBe(200);
      await abroad.kill('SIGTERM');
      // Another root key: nothing the old network said holds any more.
      abroad = await startNetworkProgram(join(folder, 'anew'), port);
      await expect.poll(async () => (await create()).status).toBe(200);
      await abroad.kill('SIGTERM');
    },
    LONG_MS,
  );

  test('mainnet must prove itself by the root key that is built in: it is never asked for one', async () => {
    const identity = Ed25519KeyIdentity.generate();
    const local = createIcClient({ icUrl: network.url, identity });
    const id = await local.createCanister({ cyclesAmount: T });
    expect((await local.status(id)).cycles).toBe(T);
    const pretended = createIcClient({ icUrl: network.url, identity, isMainnet: true });
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
  const local = createIcClient({ icUrl: network.url, identity });
  // A canister without code refuses every call, as a ledger does that is being upgraded.
  const cyclesLedger = await local.createCanister({ cyclesAmount: T });
  const client = createIcClient({ icUrl: network.url, identity, cyclesLedger });
  const payment = await client.signTopUp(cyclesLedger, T);
  const refused = await client.submit(payment);
  expect(refused.status).toBe('rejected');
  const again = await client.signAgain(payment);
  expect(again.requestId).not.toBe(payment.requestId);
  expect(await client.submit(again)).toMatchObject({ status: 'again' });
});
