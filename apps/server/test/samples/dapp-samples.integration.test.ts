import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningServer } from '../../src/start-server.ts';
import { ApiClient } from '../support/client.ts';
import { newModule } from '../authorisation/matrix-world.ts';
import { startTestServer } from '../support/server.ts';

let server: RunningServer;
let ada: ApiClient;
beforeAll(async () => {
  server = await startTestServer();
  ada = await ApiClient.signIn(server.url, 'ada');
});
afterAll(() => server.close());

/** `npm run seed` with these arguments, for the server of these tests. */
async function seed(...args: string[]): Promise<string> {
  const script = fileURLToPath(new URL('../../../../packages/dev-env/src/seed.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--url', server.url, ...args]);
  return stdout;
}

test('a sample is put into the marketplace once, with all its versions, and can be installed', async () => {
  const samples = await ada.list('/marketplace/samples');
  const poll = samples.find(({ name }) => name === 'Poll');
  expect(poll).toEqual({ name: 'Poll', description: expect.any(String) });
  const seeded = await seed('--user', 'ada', '--sample', 'Poll');
  const offered = await ada.post('/marketplace/samples', { sample: 'Poll' });
  expect(offered.status, offered.body.error).toBe(200);
  expect(seeded).toBe(`Poll ... ${server.url}/ics/dapp/${offered.body.data}\n`);
  await expect(seed('--user', 'ada', '--sample', 'No such')).rejects.toThrow(/There is no sample 'No such'/);
  const [dapp, ...others] = await ada.list('/marketplace/');
  expect(others).toEqual([]);
  expect(dapp).toMatchObject({
    ...poll,
    id: offered.body.data,
    version: '1.1.0',
    git_url: null,
    icon: expect.any(String),
  });
  const versions = await ada.list(`/marketplace/versions/${offered.body.data}`);
  expect(versions.map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
  const canister = await ada.create('Poll');
  const installed = await ada.post('/canister/install', {
    canister_id: canister,
    identifier: dapp?.wasm,
    argument: '(opt record { question = "Tea?"; options = vec { "Yes"; "No" } })',
  });
  expect(installed.status, installed.body.error).toBe(200);
  expect((await ada.post('/marketplace/samples', { sample: 'No such' })).status).toBe(404);
});

test('a dapp of the name of a sample, made by hand, is not taken for the sample', async () => {
  const bob = await ApiClient.signIn(server.url, 'bob');
  const wasm = await bob.uploadWasm(newModule());
  const texts = { name: 'Poll', version: '1', description: 'Mine', git_url: 'https://example.org/b/c' };
  const { body } = await bob.post('/marketplace/submit', { ...texts, wasm, sample: 'Poll' });
  const offered = await bob.post('/marketplace/samples', { sample: 'Poll' });
  expect(offered.status, offered.body.error).toBe(200);
  expect(offered.body.data).not.toBe(body.data);
  // It is offered once.
  expect((await bob.post('/marketplace/samples', { sample: 'Poll' })).body.data).toBe(offered.body.data);
});
