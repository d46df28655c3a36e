import type { FirstSteps } from '@cannery/contract';
import { type Api, createApi, signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';

let client: DeployClient;
let eve: Api;
beforeAll(async () => {
  client = await startDeployClient();
  eve = createApi(client.product.url, await signIn(client.product.url, 'eve'));
});
afterAll(() => client.dispose());

const read = (api: Api = client.ada): Promise<FirstSteps> => api.call('GET', '/account/first-steps');
const done = async (api?: Api): Promise<string[]> => (await read(api)).done.map(({ step }) => step);
const called = (api: Api, id: string): Promise<{ status: number }> =>
  api.request('POST', '/canister/called', { canister_id: id });

test('each first step is written down when it is done, by whoever has done it, and stays', async () => {
  const { ada } = client;
  expect(await read()).toEqual({ done: [], dismissed: false });
  const { data } = await ada.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Bakery',
  });
  const { canister_id: id } = data;
  expect(await done()).toEqual(['create']);

  expect((await called(eve, id)).status, 'of somebody else').toBe(404);
  expect((await called(ada, 'aaaaa-aa')).status, 'of nobody').toBe(404);
  expect(await done(eve)).toEqual([]);
  expect(await done()).toEqual(['create']);
  expect((await called(ada, id)).status).toBe(200);
  expect(await done()).toEqual(['create', 'call']);

  await client.push('shop', { 'index.html': '<h1>first</h1>' });
  expect(await done()).toEqual(['create', 'call', 'push']);
  const deploy = await client.create('shop', 'STATIC_SITE', { publish_directory: '.', build_command: '' });
  const { id: first } = await client.run(deploy);
  await client.push('shop', { 'index.html': '<h1>second</h1>' });
  expect((await client.run(deploy)).status).toBe('COMPLETED');
  expect(await done(), 'a run alone rolls nothing back').toEqual(['create', 'call', 'push']);
  const { id: rollback } = await ada.call<{ id: string }>(
    'POST',
    `/deploy/${deploy}/instances/${first}/rollback`,
    {},
  );
  expect((await client.finished(deploy, rollback)).status).toBe('COMPLETED');
  expect(await done()).toEqual(['create', 'call', 'push', 'roll_back']);

  const before = await read();
  await ada.call('DELETE', `/deploy/${deploy}?canisters=delete`);
  expect(await read(), 'also when what it was done with is gone').toEqual(before);
  expect(await read(eve)).toEqual({ done: [], dismissed: false });
});

test('the console that calls as the controller tells the step as well, once the canister has answered', async () => {
  const { data } = await eve.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Empty',
  });
  const { canister_id: id } = data;
  await eve.call('POST', '/canister/call', { canister_id: id, method: 'nothing' });
  expect(await done(eve), 'an empty canister answers nothing').toEqual(['create']);
});

test('the list is put away for one user, on every computer', async () => {
  expect((await eve.call<FirstSteps>('POST', '/account/first-steps/dismiss')).dismissed).toBe(true);
  expect((await read(eve)).dismissed).toBe(true);
  expect((await read()).dismissed).toBe(false);
});
