import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeployInstanceAnswer } from '@cannery/contract';
import { createApi, pushFolder, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

const SOURCE = 'persistent actor { public query func hello() : async Text { "hi" } }';
const AGAIN = 'Nothing in it has changed: the module compiled at';

let client: DeployClient;
beforeAll(async () => {
  client = await startDeployClient();
});
afterAll(() => client.dispose());

test('a run does not compile what the one before it has compiled; the same sources of somebody else are', async () => {
  await client.push('hello', { 'main.mo': SOURCE });
  const id = await client.create('hello', 'MOTOKO');
  const first = await client.run(id);
  expect(first.status, first.logs ?? '').toBe('COMPLETED');
  expect(first.logs).not.toContain(AGAIN);
  await client.product.kill();
  await client.product.restart();
  const second = await client.run(id);
  expect(second.status, second.logs ?? '').toBe('COMPLETED');
  expect(second.logs).toContain(AGAIN);

  const bob = createApi(client.product.url, await signIn(client.product.url, 'bob'));
  const folder = join(client.folder, 'of-bob');
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.mo'), SOURCE);
  const repository = { productUrl: client.product.url, api: bob, folder, owner: 'bob', name: 'hello' };
  await pushFolder({ ...repository, message: 'The same' });
  const body = { name: 'hello', branch: 'main', owner: 'bob', repo_name: 'hello', deploy_type: 'MOTOKO' };
  const { id: theirs } = await bob.call<{ id: string }>('POST', '/deploy', body);
  const { id: run } = await bob.call<{ id: string }>('POST', `/deploy/${theirs}/trigger`, {});
  const path = `/deploy/${theirs}/instances/${run}`;
  const ended = async () => bob.call<DeployInstanceAnswer>('GET', path);
  await expect.poll(async () => (await ended()).status, { timeout: 90_000 }).toBe('COMPLETED');
  expect((await ended()).logs).not.toContain(AGAIN);
}, 240_000);
