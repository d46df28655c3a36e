import { assetCanisterWasm } from '@cannery/assets';
import type { CanisterAnswer, DappInstance, DeployAnswer } from '@cannery/contract';
import { signIn } from '@cannery/dev-env';
import { Ed25519KeyIdentity } from '@icp-sdk/core/identity';
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

test('a run publishes nothing in a canister that the console does not control any more, whatever its code allows', async () => {
  await client.push('given', { 'index.html': '<p>mine</p>' });
  const deploy = await client.create('given', 'STATIC_SITE');
  await completed(deploy);
  const handed = await ada.post('/canister/settings', {
    canister_id: await canisterOf(deploy),
    settings: { controllers: [Ed25519KeyIdentity.generate().getPrincipal().toText()] },
    give_up_control: true,
  });
  expect(handed.status, handed.body.error).toBe(200);
  await client.push('given', { 'index.html': '<p>still mine</p>' });
  const run = await client.run(deploy);
  expect((await client.page(deploy)).text, run.logs ?? '').toBe('<p>mine</p>');
  expect([run.status, run.logs ?? '']).toEqual(['FAILED', expect.stringContaining('does not control')]);
}, 120_000);

const commitOf = async (repo: string): Promise<string> =>
  ((await ada.get(`/repository/content/ada/${repo}`)).body as unknown as { commits: { id: string }[] })
    .commits[0]?.id ?? '';
const statusOf = async (canister: string): Promise<CanisterAnswer> =>
  (await ada.get(`/canister/status/${canister}`)).body as unknown as CanisterAnswer;

test('a canister names the run that has filled it, by number and commit, and its deploy with the repository', async () => {
  await client.push('shop', { 'index.html': '<p>1</p>' });
  const deploy = await client.create('shop', 'STATIC_SITE');
  const first = await completed(deploy);
  const canister = await canisterOf(deploy);
  const before = await commitOf('shop');
  expect(await statusOf(canister)).toMatchObject({
    serves_http: true,
    deploy: { id: deploy, name: 'shop', github_repo_owner: 'ada', repo_name: 'shop', url: null },
    origin: { run_id: first, run: { id: first, number: 1, commit: before, in_repository: true } },
  });
  await client.push('shop', { 'index.html': '<p>2</p>' });
  const second = await completed(deploy);
  const commit = await commitOf('shop');
  expect(commit).not.toBe(before);
  // Its code is of the first run, what it serves of the second.
  const filled = { run_id: first, run: { id: second, number: 2, commit, in_repository: true } };
  expect(await originOf(canister)).toMatchObject(filled);
  const listed = (await ada.list('/canister/list/')) as unknown as CanisterAnswer[];
  expect(listed.find(({ id }) => id === canister)).toMatchObject({ origin: filled, serves_http: true });
  const { body: uses } = await ada.get('/repository/uses/ada/shop');
  expect(uses.deploys).toEqual([
    {
      id: deploy,
      name: 'shop',
      branch: 'main',
      canisters: [{ id: canister, name: 'shop' }],
      live: { id: second, number: 2, commit_sha: commit },
    },
  ]);
  expect((await client.ada.call<DeployAnswer>('GET', `/deploy/${deploy}`)).parts).toMatchObject([
    { canister_id: canister, serves_http: true },
  ]);

  // The commits of one repository are none of another one.
  await client.push('shop-2', { 'index.html': '<p>3</p>' });
  await client.ada.call('PATCH', `/deploy/${deploy}`, { repo_name: 'shop-2' });
  expect((await statusOf(canister)).origin?.run).toMatchObject({ number: 2, commit, in_repository: false });
  expect((await ada.get('/repository/uses/ada/shop')).body.deploys).toEqual([]);

  // A deploy that is gone leaves what was written down.
  await client.ada.call('DELETE', `/deploy/${deploy}`);
  expect(await statusOf(canister)).toMatchObject({
    deploy: null,
    serves_http: true,
    origin: { name: 'shop', run: { number: 2, commit, in_repository: false } },
  });
}, 240_000);

test('the canister of a Motoko project that answers HTTP is known to, and names a dapp of its repository', async () => {
  const web = `persistent actor { public query func http_request() : async Text { "hi" } }`;
  await client.push('web', { 'main.mo': web });
  const deploy = await client.create('web', 'MOTOKO');
  const run = await completed(deploy);
  const canister = await canisterOf(deploy);
  const origin = { kind: 'run', run: { id: run, number: 1, in_repository: true } };
  expect(await statusOf(canister)).toMatchObject({ serves_http: true, origin });
  const wasm = await ada.uploadWasm(newModule());
  const dapp = { ...texts, name: 'Web', wasm, git_url: `${client.product.url}/ada/web` };
  const { body } = await ada.post('/marketplace/submit', dapp);
  // Somebody else says that it is made from the same repository.
  const claimed = { ...dapp, name: 'Claimed', wasm: await eve.uploadWasm(newModule()) };
  expect((await eve.post('/marketplace/submit', claimed)).status).toBe(200);
  const { dapps } = (await ada.get('/repository/uses/ada/web')).body;
  expect(dapps).toEqual([{ id: String(body.data), name: 'Web' }]);
}, 240_000);
