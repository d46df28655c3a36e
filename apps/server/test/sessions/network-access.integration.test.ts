import { IcManagementCanister } from '@icp-sdk/canisters/ic-management';
import { HttpAgent } from '@icp-sdk/core/agent';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { afterEach, expect, test } from 'vitest';
import type { RunningServer, StartOptions } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { sendRaw } from '../support/send-raw.ts';
import { startTestServer } from '../support/server.ts';

/** What the product tells its network of who may reach it and make cycles: the settings arrive there, not only the code. */

let server: RunningServer | undefined;
afterEach(() => server?.close());

async function start(options: StartOptions): Promise<RunningServer> {
  server = await startTestServer(options);
  return server;
}

/** Makes a canister with cycles from nothing, as somebody who is not the console. */
async function makeCycles({ networkUrl }: RunningServer): Promise<unknown> {
  const identity = Ed25519KeyIdentity.generate();
  const agent = await HttpAgent.create({ host: networkUrl, identity, shouldFetchRootKey: true });
  return IcManagementCanister.create({ agent }).provisionalCreateCanisterWithCycles({ amount: 1n });
}

/** The status of a page that asks the network under a host name. */
const statusUnder = async ({ networkUrl }: RunningServer, host: string): Promise<number> =>
  (await sendRaw(networkUrl, '/api/v2/status', { host })).status;

test('a network that others can reach makes cycles for its console only, and answers to its names only', async () => {
  const own = await start({ NETWORK_HOSTS: 'net.example.com' });
  expect(await statusUnder(own, 'net.example.com')).toBe(200);
  expect(await statusUnder(own, 'localhost')).toBe(200);
  expect(await statusUnder(own, 'evil.example')).toBe(421);
  await expect(makeCycles(own)).rejects.toThrow('NETWORK_PROVISIONAL');
  expect(await (await ApiClient.signIn(own.url, 'ada')).create('By the console')).toMatch(/-cai$/);
});

test('on loopback everybody may make cycles, unless the operator says otherwise', async () => {
  await expect(makeCycles(await start({}))).resolves.toBeDefined();
  await server?.close();
  await expect(makeCycles(await start({ NETWORK_PROVISIONAL: 'console' }))).rejects.toThrow(
    'NETWORK_PROVISIONAL',
  );
});
