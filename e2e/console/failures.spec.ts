import { createApi, type Product, signIn } from '@cannery/dev-env';
import type { Page } from '@playwright/test';
import { failCalls } from '../support/calls.ts';
import { createCanister } from '../support/canisters-of.ts';
import { createDeploy, createSite, runDeploy } from '../support/deploys.ts';
import { colourOf } from '../support/look.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

async function deployOf(
  page: Page,
  url: string,
  repository: string,
  fields: { buildCommand: string; publishDirectory: string },
) {
  const created = new NewDeployPages(page, url);
  await created.open('STATIC_SITE');
  await created.connect(repository);
  await created.fill({ name: repository, ...fields });
  await created.deploy();
  await page.waitForURL(/\/ics\/deploy\/(?!new)[\w-]+$/, { timeout: 30_000 });
  return new DeployPage(page);
}

test('[DEPD-11] [DEPD-16] [DEPD-18] [STATE-09] a build that fails shows its own words and its exit code', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'broken', { 'index.html': '<h1>never built</h1>' });
  const deploy = await deployOf(page, product.url, 'broken', {
    buildCommand: 'echo the oven is cold >&2; exit 3',
    publishDirectory: '.',
  });
  await expect(page.getByText('failed for').first()).toBeVisible({ timeout: 60_000 });
  await expect(deploy.log).toContainText('the oven is cold');
  await expect(deploy.log.locator('[data-tone="failure"]')).toContainText('exit code 3');
  await expect(deploy.log.locator('[data-tone="step"]').first()).toContainText('==> Checking out');
  expect(await colourOf(deploy.latest.getByRole('img', { name: 'Failed' }))).toBe('red');
  // The panel stays open on the reason, and no toast calls it a success.
  await expect(deploy.latest).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByText('Deployment Successful!')).toHaveCount(0);
  const polls: string[] = [];
  page.on('request', (request) => {
    if (/\/instances\/[\w-]+$/.test(new URL(request.url()).pathname)) polls.push(request.url());
  });
  await page.waitForTimeout(5_000);
  expect(polls, 'a run that is over is not fetched again').toEqual([]);
});

test('[DEPD-13] [DEPD-18] [DEPD-23] [VAL-25] a missing publish directory is named in the log, and the next deploy works', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'moved', { 'public/index.html': '<h1>here</h1>' });
  const deploy = await deployOf(page, product.url, 'moved', { buildCommand: '', publishDirectory: 'dist' });
  await expect(page.getByText('failed for').first()).toBeVisible({ timeout: 60_000 });
  await expect(deploy.log).toContainText("'dist'");
  await expect(deploy.log).toContainText('public');

  await page
    .getByRole('link', { name: 'Settings' })
    .or(page.getByRole('button', { name: 'Settings' }))
    .first()
    .click();
  await expect(page).toHaveURL(/\/settings$/);
  await page.getByLabel('Publish directory').fill('  public ');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await page.getByRole('button', { name: 'Manual Deploy' }).click();
  await expect(page.getByText('Deployment Started!')).toBeVisible();
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
});

test("[DEPD-12] [ERR-09] a failed run without a log shows 'Deployment Failed!' in the log view", async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'broken', { 'index.html': '' });
  const id = await createDeploy(user, {
    name: 'Broken',
    repo_name: 'broken',
    deploy_type: 'STATIC_SITE',
    build_command: 'exit 1',
  });
  expect(await runDeploy(user, id)).toBe('FAILED');
  // The service writes a reason at the end of every failed run; here it has got lost.
  const { data } = await user.api.call<{ data: object[] }>('GET', `/deploy/${id}/instances`);
  await failCalls(page, `**/api/deploy/${id}/instances/*`, 200, { ...data[0], logs: '' });
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await expect(new DeployPage(page).log).toHaveText('Deployment Failed!');
});

test('[ERR-04] [ERR-15] what cannot be loaded says so: a deploy, the repositories, a route, the profile', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/deploy/${crypto.randomUUID()}`);
  await expect(page.getByText('Error while fetching deploy details')).toBeVisible();
  await page.getByRole('link', { name: 'Back to DApps' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/canisters`);

  await failCalls(page, '**/api/deploy/repos', 500);
  await page.goto(`${product.url}/ics/deploy?type=MOTOKO`);
  await expect(page.getByText('Connect a repository')).toBeVisible();

  await page.goto(`${product.url}/ics/no/such/page`);
  await expect(page.getByText("Oops. Looks like the page you're looking for no longer exists")).toBeVisible();

  await failCalls(page, '**/api/user/profile*', 500);
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('what there is not and what is of somebody else is one and the same, with a way back', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const stranger = createApi(product.url, await signIn(product.url, `${user.name}-other`));
  const other = { name: `${user.name}-other`, api: stranger };
  const theirs = await createCanister(stranger, 'Secret');
  const theirDeploy = await createSite(product, other, 'secret');
  const cases = [
    { of: 'canister', paths: [`/ics/canister/${theirs}`, '/ics/canister/rrkah-fqaaa-aaaaa-aaaaq-cai'] },
    { of: 'deploy', paths: [`/ics/deploy/${theirDeploy}`, `/ics/deploy/${crypto.randomUUID()}`] },
    { of: 'dapp', paths: [`/ics/dapp/${crypto.randomUUID()}`, '/ics/dapp/no%20such'] },
    { of: 'repository', paths: [`/${other.name}/secret`, `/${user.name}/no-such`, '/nobody/nothing'] },
  ];
  const ways: Record<string, string> = {
    canister: 'Back to canisters',
    deploy: 'Back to DApps',
    dapp: 'Back to marketplace',
    repository: 'Your repositories',
  };
  for (const { of, paths } of cases) {
    const seen = new Set<string>();
    for (const path of paths) {
      await page.goto(product.url + path);
      const main = page.getByRole('main');
      await expect(main, path).toContainText(`This ${of} cannot be shown.`);
      await expect(main, path).toContainText(
        'It was deleted, its address is wrong, or it belongs to somebody else.',
      );
      seen.add(await main.innerText());
      await expect(main.getByRole('link', { name: ways[of] ?? '' })).toBeVisible();
    }
    expect(seen.size, `nothing tells one ${of} from another`).toBe(1);
    await page
      .getByRole('main')
      .getByRole('link', { name: ways[of] ?? '' })
      .click();
    await expect(page.getByText('cannot be shown.')).toHaveCount(0);
  }
  await page.goto(`${product.url}/ics/nothing`);
  await expect(page.getByText("Oops. Looks like the page you're looking for no longer exists")).toBeVisible();
  await expect(page.getByText('cannot be shown.'), 'no repository was meant').toHaveCount(0);
});

test('the network process is killed: the console says so, comes back, and nothing is lost', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { data } = await user.api.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Survivor',
  });
  await page.goto(`${product.url}/ics/canister/${data.canister_id}`);
  await expect(page.getByText('Survivor').first()).toBeVisible();
  const before = await user.api.call<{ cycles_exact: string }>(
    'GET',
    `/canister/status/${data.canister_id}?real_time=true`,
  );

  await product.killNetwork();
  await expect
    .poll(async () => (await fetch(`${product.url}/api/health`)).status, { timeout: 20_000 })
    .toBe(200);
  await expect
    .poll(
      async () =>
        (await user.api.request('GET', `/canister/status/${data.canister_id}?real_time=true`)).status,
      { timeout: 20_000 },
    )
    .toBe(200);
  const after = await user.api.call<{ cycles_exact: string }>(
    'GET',
    `/canister/status/${data.canister_id}?real_time=true`,
  );
  // Each question for the status costs the canister a little.
  const spent = BigInt(before.cycles_exact) - BigInt(after.cycles_exact);
  expect(Number(spent)).toBeGreaterThanOrEqual(0);
  expect(Number(spent)).toBeLessThan(1e9);
  await page.reload();
  await expect(page.getByText('Survivor').first()).toBeVisible();
});

/** Holds the network. A server ends one that is silent for 15 s and starts another, so each look has a separate hold. */
async function whileSilent(product: Product, look: () => Promise<void>): Promise<void> {
  const goOn = await product.pauseNetwork();
  try {
    await look();
  } finally {
    goOn();
  }
}

test('a network that does not answer: the status says as of when, until it answers again', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Silent');
  const asOf = page.getByText(/^as of \d\d:\d\d$/);
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByRole('row').filter({ hasText: 'Silent' })).toContainText('running');
  await expect(asOf).toHaveCount(0);
  await whileSilent(product, () => expect(asOf).toBeVisible());
  await page.goto(`${product.url}/ics/canister/${id}`);
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
  await whileSilent(product, async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(asOf).toBeVisible();
  });
  await page.goto(`${product.url}/ics/canisters`);
  await expect(asOf).toHaveCount(0);
});

test('what could not be loaded is said, and asked for again at a press', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  const deploy = await createSite(product, user, 'shop');
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text });
  const again = (text: string) => alert(text).getByRole('button', { name: 'Try again' });

  for (const [address, calls, texts] of [
    [
      '/ics/account',
      ['session', 'api-tokens', 'repository/tokens'],
      ['sessions', 'API tokens', 'access tokens'],
    ],
    [`/ics/canister/${id}`, ['canister/status/*'], ['This canister cannot be shown.']],
    [`/ics/deploy/${deploy}`, ['deploy/*'], ['This deploy cannot be shown.']],
    [`/ics/deploy/${deploy}`, ['deploy/*/instances'], ['The runs of this deploy cannot be shown.']],
  ] as const) {
    for (const call of calls) await failCalls(page, `**/api/${call}`, 500);
    await page.goto(product.url + address);
    for (const text of texts) await expect(again(text)).toBeVisible();
    await page.unrouteAll();
    for (const text of texts) {
      await again(text).click();
      await expect(alert(text)).toHaveCount(0);
    }
  }

  await test.step('the others of a deploy, in the menu of its name', async () => {
    await failCalls(page, '**/api/deploy', 500);
    await page.reload();
    const menu = page.getByRole('button', { name: 'shop, other DApps' });
    await menu.click();
    await expect(alert('The other DApps could not be loaded.')).toBeVisible();
    await page.unrouteAll();
    await page.keyboard.press('Escape');
    await menu.click();
    await expect(page.getByText('There are no others.')).toBeVisible();
  });

  await test.step('the deploys of a repository that is about to get another name', async () => {
    await failCalls(page, '**/api/repository/uses/**', 500);
    await page.goto(`${product.url}/${user.name}/shop`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await expect(alert('The DApps that use it could not be loaded.')).toBeVisible();
    await page.unrouteAll();
    await again('The DApps that use it could not be loaded.').click();
    await expect(page.getByText('One DApp uses it.')).toBeVisible();
  });
});
