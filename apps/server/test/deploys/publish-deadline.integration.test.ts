import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { type NetworkProxy, startNetworkProxy } from '../support/network-proxy.ts';
import { startTestServer } from '../support/server.ts';
import { type Program, startNetworkProgram } from '../support/server-process.ts';
import { deployTemplateSite } from '../support/template-site.ts';

let folder: string;
let network: Program;
let proxy: NetworkProxy;
let server: RunningServer;
let ada: ApiClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cannery-deadline-'));
  network = await startNetworkProgram(join(folder, 'network'));
  proxy = await startNetworkProxy(network.url);
  server = await startTestServer({ IC_URL: proxy.url, PUBLISH_TIMEOUT_S: 5 });
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(async () => {
  await proxy.close();
  await server.close();
  await network.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

test('a run that publishes to a network which does not answer ends at the limit, and says so', async () => {
  const deploy = await deployTemplateSite(ada);
  const run = async (): Promise<Record<string, unknown>> => {
    const { body: instance } = await ada.post(`${deploy}/trigger`, {});
    const read = async () => (await ada.get(`${deploy}/instances/${instance.id}`)).body;
    await expect.poll(async () => (await read()).status, { timeout: 40_000 }).toMatch(/^(COMPLETED|FAILED)$/);
    return read();
  };
  // Its canister is there, so that only the upload is left to hang.
  expect((await run()).status).toBe('COMPLETED');
  proxy.silence();
  const hung = await run();
  expect(String(hung.logs).split('\n').at(-1)).toBe(
    'Failed: Publishing took longer than the limit of 5 s (PUBLISH_TIMEOUT_S). Publish fewer or smaller files, ' +
      'or ask the operator to raise the limit.',
  );
  expect(hung.status).toBe('FAILED');
  proxy.heal();
  expect((await run()).status).toBe('COMPLETED');
}, 120_000);
