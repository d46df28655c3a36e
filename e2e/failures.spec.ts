import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pushFolder } from '@cannery/dev-env';
import type { Page } from '@playwright/test';
import { DeployPage } from './pages/deploy-page.ts';
import { NewDeployPages } from './pages/new-deploy-pages.ts';
import { expect, test } from './product.ts';

async function site(files: Record<string, string>, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cannery-site-'));
  try {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    }
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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

test('[DEPD-11] a build that fails shows its own words and its exit code', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await site({ 'index.html': '<h1>never built</h1>' }, (folder) =>
    pushFolder({ productUrl: product.url, api: user.api, folder, owner: user.name, name: 'broken' }).then(
      () => undefined,
    ),
  );
  const deploy = await deployOf(page, product.url, 'broken', {
    buildCommand: 'echo the oven is cold >&2; exit 3',
    publishDirectory: '.',
  });
  await expect(page.getByText('failed for').first()).toBeVisible({ timeout: 60_000 });
  await expect(deploy.log).toContainText('the oven is cold');
  await expect(deploy.log).toContainText('3');
});

test('a missing publish directory is named in the log, and the next deploy works', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await site({ 'public/index.html': '<h1>here</h1>' }, (folder) =>
    pushFolder({ productUrl: product.url, api: user.api, folder, owner: user.name, name: 'moved' }).then(
      () => undefined,
    ),
  );
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
  await expect(page.getByText('Updated successfully.'), '[DEPD-23]').toBeVisible();
  await page.getByRole('button', { name: 'Manual Deploy' }).click();
  await expect(page.getByText('Deployment Started!'), '[DEPD-13]').toBeVisible();
  await expect(page.getByText('Deployment Successful!'), '[DEPD-18]').toBeVisible({ timeout: 60_000 });
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
  expect(after.cycles_exact).toBe(before.cycles_exact);
  await page.reload();
  await expect(page.getByText('Survivor').first()).toBeVisible();
});
