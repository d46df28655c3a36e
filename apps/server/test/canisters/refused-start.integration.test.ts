import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
import { expect, onTestFinished, test } from 'vitest';
import { createIcClient } from '../../src/ic/create-ic-client.ts';
import { ApiClient } from '../support/client.ts';
import { moduleOf } from '../support/modules.ts';
import { startNetworkProxy } from '../support/network-proxy.ts';
import { startTestServer } from '../support/server.ts';
import { startNetworkProgram } from '../support/server-process.ts';

test('an upgrade whose canister the network does not start again is no success', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cannery-refused-start-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const network = await startNetworkProgram(join(dataDir, 'own network'));
  onTestFinished(async () => {
    await network.kill('SIGTERM');
  });
  const proxy = await startNetworkProxy(network.url);
  onTestFinished(() => proxy.close());
  const server = await startTestServer({ DATA_DIR: dataDir, IC_URL: proxy.url });
  onTestFinished(() => server.close());
  const ada = await ApiClient.signIn(server.url, 'ada');
  const ok = async (path: string, body: object, headers = {}): Promise<Record<string, unknown>> => {
    const answer = await ada.post(path, body, headers);
    expect(answer.status, `${path}: ${answer.body.error}`).toBe(200);
    return answer.body;
  };

  const first = await ada.uploadWasm(moduleOf({ exports: ['canister_query a'] }));
  const second = await ada.uploadWasm(moduleOf({ exports: ['canister_query b'] }));
  const texts = { git_url: 'https://example.org/ada/one', description: 'One' };
  const { data: dapp } = await ok('/marketplace/submit', {
    name: 'One',
    version: '1.0.0',
    wasm: first,
    ...texts,
  });
  const canister = await ada.create('Mine');
  await ok(
    '/canister/install',
    { canister_id: canister, identifier: first },
    { 'code-origin': `dapp ${dapp}` },
  );
  await ok(`/marketplace/update/${dapp}`, { wasm: second, version: '1.1.0', notes: '' });
  const other = createIcClient({ icUrl: network.url, identity: Ed25519KeyIdentity.generate() });
  const { console_principal: own } = (await ada.get(`/canister/details/${canister}`)).body;
  await ok('/canister/settings', {
    canister_id: canister,
    settings: { controllers: [String(own), other.principal] },
  });

  // Another controller keeps the console out just before it starts the canister.
  proxy.beforeCall('start_canister', () =>
    other.updateSettings(canister, { controllers: [other.principal] }),
  );
  const upgraded = await ada.post('/marketplace/upgrade', { canister_id: canister, identifier: second });
  expect(upgraded.status, JSON.stringify(upgraded.body)).toBeGreaterThanOrEqual(400);
  // The new code is there all the same, and the canister stands still.
  expect(await other.moduleHash(canister)).toBe(second);
  expect((await other.status(canister)).status).toBe('stopped');
});
