import { readFileSync } from 'node:fs';
import { Actor, HttpAgent } from '@icp-sdk/core/agent';
import { IDL } from '@icp-sdk/core/candid';
import { compileMotoko, counterSource } from '../support/motoko.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { SignInPage } from '../pages/sign-in-page.ts';
import { expect, test } from '../support/product.ts';

// The way a user meets it: dialogs move in, and buttons wait for that.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

// One story told in one test: each step needs what the one before it made.
test('[AUTH-01] [AUTH-02] [AUTH-03] [CAN-02] [CAND-13] [DEP-19] [DEPD-16] the main job: sign in, create, install, call, deploy, open the site', async ({
  page,
  context,
  product,
}) => {
  test.setTimeout(240_000);

  await test.step('sign in through the provider', async () => {
    const signIn = new SignInPage(page, product.url);
    await signIn.open();
    await signIn.signInAs('grace');
    await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
    await expect(page.getByText('Hi,')).toBeVisible();
  });

  const canisters = new CanistersPage(page, product.url);
  await test.step('create a canister', async () => {
    await canisters.open();
    await canisters.create('First canister');
    await expect(page.getByText('Canister created!')).toBeVisible();
    await canisters.openRow('First canister');
  });

  const canister = new CanisterPage(page);
  await test.step('install a module', async () => {
    await expect(canister.status).toHaveText(/running/i);
    await canister.install(compileMotoko(counterSource));
    await expect(page.getByText('Installed!')).toBeVisible();
    await expect(canister.moduleHash).toContainText('0x');
  });

  await test.step('call it from its Candid page', async () => {
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'View in Candid UI' }).click();
    const candid = new CandidPage(await opened);
    await candid.call('inc');
    await expect(candid.reply('inc')).toContainText('1');
    await candid.call('get');
    await expect(candid.reply('get')).toContainText('1');
    await candid.call('fail');
    await expect(candid.reply('fail')).toContainText('no more');
    await candid.call('get');
    await expect(candid.reply('get')).toContainText('1');
  });

  await test.step('deploy a static site from a git repository and watch its log', async () => {
    const created = new NewDeployPages(page, product.url);
    await created.useTemplate('STATIC_SITE', 'Static site');
    // Slow enough for the console's two-second polls to see it at work.
    const slow = 'for n in 1 2 3 4 5 6 7 8; do echo "filling can $n"; sleep 1; done';
    await created.fill({ buildCommand: `${slow}; node build.mjs` });
    await created.deploy();
    const deploy = new DeployPage(page);
    await expect(page).toHaveURL(/\/ics\/deploy\/(?!new)[\w-]+$/, { timeout: 30_000 });
    // Lines show while the build still runs, not only at its end.
    await expect(deploy.log).toContainText(/filling can [1-6]/);
    await expect(deploy.log).not.toContainText('filling can 8');
    await expect(page.getByText('is live for').first()).toBeVisible({ timeout: 120_000 });
  });

  await test.step('open the site its canister serves', async () => {
    const deploy = new DeployPage(page);
    const url = await deploy.publicUrl();
    expect(url).toMatch(/^http:\/\/[a-z0-9-]+\.localhost:\d+\/$/);
    const site = await context.newPage();
    const answer = await site.goto(url);
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()['content-type']).toContain('text/html');
    await expect(site.locator('h1')).toBeVisible();
  });
});

test('[DEPD-06] [DEPD-18] a deployed Motoko counter is called by an independent client; restart and kill -9 lose nothing', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(300_000);
  const created = new NewDeployPages(page, product.url);
  await created.useTemplate('MOTOKO', 'Motoko counter');
  await created.deploy();
  const deploy = new DeployPage(page);
  await expect(page.getByText('is live for').first()).toBeVisible({ timeout: 120_000 });
  const id = await deploy.canisterId();

  const counter = async () => {
    const agent = await HttpAgent.create({ host: product.networkUrl, shouldFetchRootKey: true });
    const service = () =>
      IDL.Service({ inc: IDL.Func([], [IDL.Nat], []), get: IDL.Func([], [IDL.Nat], ['query']) });
    return Actor.createActor<{ inc(): Promise<bigint>; get(): Promise<bigint> }>(service, {
      agent,
      canisterId: id,
    });
  };

  expect(await (await counter()).inc()).toBe(1n);
  await product.stop();
  await product.restart();
  expect(await (await counter()).inc()).toBe(2n);
  await product.kill();
  await product.restart();
  expect(await (await counter()).get()).toBe(2n);

  const deploys = await user.api.call<{ status: string; canisters: string[] }[]>('GET', '/deploy');
  expect(deploys).toMatchObject([{ status: 'COMPLETED', canisters: [id] }]);
  const canisters = await user.api.call<{ id: string; status: string }[]>('GET', '/canister/list/');
  expect(canisters).toMatchObject([{ id, status: 'running' }]);

  // An upgrade keeps what the counter has counted.
  await page.reload();
  await page.getByRole('button', { name: 'Manual Deploy' }).click();
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 120_000 });
  expect(await (await counter()).get()).toBe(2n);
});

/** A module that every network takes; its function `canister_post_upgrade` does nothing but trap. */
const trapsAfterUpgrade = Buffer.concat([
  Buffer.from('\0asm\x01\0\0\0', 'latin1'),
  Buffer.from([1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 25, 1, 21]),
  Buffer.from('canister_post_upgrade'),
  Buffer.from([0, 0, 10, 5, 1, 3, 0, 0, 0x0b]),
]);

test('[VAL-10] a wrong module is refused with a sentence that says so, and the canister keeps its code', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { data } = await user.api.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Kept',
  });
  const module = readFileSync(compileMotoko(counterSource));
  const uploaded = await user.api.upload('/document/upload', 'wasm', {
    name: 'counter.wasm',
    bytes: new Uint8Array(module),
  });
  const { identifier } = uploaded.body as { identifier: string };
  await user.api.call('POST', '/canister/install', {
    canister_id: data.canister_id,
    identifier,
    mode: 'install',
  });

  await page.goto(`${product.url}/ics/canister/${data.canister_id}`);
  const canister = new CanisterPage(page);
  await expect(canister.moduleHash).toHaveText(/^0x[0-9a-f]{64}$/);
  const before = await canister.moduleHash.textContent();
  await canister.chooseFile({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('not a module'),
  });
  await expect(page.getByText('Invalid file format. Only WASM allowed.')).toBeVisible();
  await canister.chooseFile({
    name: 'broken.wasm',
    mimeType: 'application/wasm',
    buffer: trapsAfterUpgrade,
  });
  await canister.installDialog.getByRole('checkbox', { name: /^Install it anyway/ }).check();
  await canister.confirmInstall();
  await expect(page.getByRole('alert').or(page.locator('[data-toast]')).first()).toContainText(/module/i);
  await expect(canister.moduleHash).toHaveText(before ?? '');
});
