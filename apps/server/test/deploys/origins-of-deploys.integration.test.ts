import { assetCanisterWasm } from '@cannery/assets';
import type { CanisterAnswer, DappInstance, DeployAnswer } from '@cannery/contract';
import { signIn } from '@cannery/dev-env';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { type DeployClient, startDeployClient } from '../support/deploy-client.ts';
import { newModule } from '../authorisation/matrix-world.ts';

let client: DeployClient;
let ada: ApiClient;
let eve: ApiClient;
beforeAll(async () => {
  client = await startDeployClient();
  const { url } = client.product;
  ada = new ApiClient(url, await signIn(url, 'ada'));
  eve = await ApiClient.signIn(url, 'eve');
}, 120_000);
afterAll(() => client?.dispose());

const texts = { git_url: 'https://example.org/eve/fix', description: 'A fix', version: '1.0.0' };
const module = (version: string, health = 'true'): string =>
  `persistent actor { public query func version() : async Text { "${version}" }; public query func health() : async Bool { ${health} } }`;

async function canisterOf(deploy: string): Promise<string> {
  const [canister = ''] = (await client.ada.call<DeployAnswer>('GET', `/deploy/${deploy}`)).canisters;
  return canister;
}

async function originOf(canister: string): Promise<CanisterAnswer['origin']> {
  return ((await ada.get(`/canister/status/${canister}/?real_time=true`)).body as unknown as CanisterAnswer)
    .origin;
}

async function completed(deploy: string): Promise<string> {
  const run = await client.run(deploy);
  expect(run.status, run.logs ?? '').toBe('COMPLETED');
  return run.id;
}

test('whoever publishes the asset canister of the product has no update for the sites of others', async () => {
  await client.push('pages', { 'index.html': '<p>mine</p>' });
  const deploy = await client.create('pages', 'STATIC_SITE');
  const run = await completed(deploy);
  const canister = await canisterOf(deploy);
  const wasm = await assetCanisterWasm();
  const identifier = await eve.uploadWasm(wasm);
  expect((await ada.get(`/canister/status/${canister}`)).body.module_hash).toBe(identifier);

  const { body } = await eve.post('/marketplace/submit', { name: 'Assets', wasm: identifier, ...texts });
  const evil = await eve.uploadWasm(newModule());
  const update = { wasm: evil, version: '1.0.1', notes: 'Security fix' };
  expect((await eve.post(`/marketplace/update/${String(body.data)}`, update)).status).toBe(200);
  expect(await ada.list('/marketplace/instances')).toEqual([]);
  const pressed = await ada.post('/marketplace/upgrade', { canister_id: canister, identifier: evil });
  expect(pressed.status).toBe(404);
  expect((await client.page(deploy)).text).toBe('<p>mine</p>');
  const recorded = { kind: 'run', source_id: deploy, run_id: run, name: 'pages', changed_outside: false };
  expect(await originOf(canister)).toMatchObject(recorded);
  expect((await eve.get(`/marketplace/${String(body.data)}`)).body.installs).toBe(0);

  // A run that puts no code in, since it is there already, is not where it came from.
  await completed(deploy);
  expect(await originOf(canister)).toMatchObject(recorded);
}, 120_000);

test('code of a run is that of this run; a failed one goes back to what was there, and so does a rollback', async () => {
  await client.push('counter', { 'main.mo': module('1') });
  const deploy = await client.create('counter', 'MOTOKO');
  const first = await completed(deploy);
  const canister = await canisterOf(deploy);
  expect(await originOf(canister)).toMatchObject({
    kind: 'run',
    source_id: deploy,
    run_id: first,
    by: 'ada',
  });
  await client.push('counter', { 'main.mo': module('2') });
  const second = await completed(deploy);
  expect(await originOf(canister)).toMatchObject({ run_id: second, changed_outside: false });

  await client.ada.call('PATCH', `/deploy/${deploy}`, {
    health_call: { canister: '', method: 'health', argument: '()', expected: '(true)', deadline: 2 },
  });
  await client.push('counter', { 'main.mo': module('3', 'false') });
  expect((await client.run(deploy)).status).toBe('FAILED');
  expect(await originOf(canister)).toMatchObject({ run_id: second, changed_outside: false });

  const path = `/deploy/${deploy}/instances/${first}/rollback`;
  const { id: back } = await client.ada.call<{ id: string }>('POST', path, {});
  expect((await client.finished(deploy, back)).status).toBe('COMPLETED');
  expect(await originOf(canister)).toMatchObject({ run_id: back, changed_outside: false });
}, 240_000);

test('a dapp in a canister of a deploy is written down, and has no updates there', async () => {
  await client.push('filled', { 'main.mo': module('4') });
  const deploy = await client.create('filled', 'MOTOKO');
  await completed(deploy);
  const canister = await canisterOf(deploy);
  const wasm = await ada.uploadWasm(newModule());
  const { body } = await ada.post('/marketplace/submit', { name: 'Counter', wasm, ...texts });
  const dapp = String(body.data);
  const install = { canister_id: canister, identifier: wasm, mode: 'reinstall' };
  expect((await ada.post('/canister/install', install, { 'code-origin': `dapp ${dapp}` })).status).toBe(200);
  await ada.post(`/marketplace/update/${dapp}`, { wasm: await ada.uploadWasm(newModule()), version: '2' });
  expect(await originOf(canister)).toMatchObject({ kind: 'dapp', source_id: dapp });
  const instances = (await ada.list('/marketplace/instances')) as unknown as DappInstance[];
  expect(instances).toEqual([]);
}, 120_000);
