import type { Page } from '@playwright/test';
import { createDeploy, runDeploy, runsOf } from '../support/deploys.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { expect, test } from '../support/product.ts';
import { type Owner, pushFiles } from '../support/repositories.ts';

const shop = (till: string) => ({
  'dfx.json': JSON.stringify({
    canisters: {
      till: { main: 'till.mo' },
      stock: { main: 'stock.mo' },
      pages: { type: 'assets', source: ['public'] },
    },
  }),
  'till.mo': till,
  'stock.mo': 'persistent actor { public query func bread() : async Nat { 12 } }',
  'public/index.html': '<h1>Shop</h1>',
});

const deleteOn = (part: Page) => part.getByRole('button', { name: 'Delete DApp', exact: true });

const canistersOf = async ({ api }: Owner): Promise<string[]> =>
  (await api.call<{ name: string }[]>('GET', '/canister/list/')).map(({ name }) => name).toSorted();

test('a DApp that failed is deployed again, gives a module to the registries, and is deleted with its canisters', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', shop('persistent actor { oops'));
  const id = await createDeploy(user, { name: 'My  shop', repo_name: 'shop', deploy_type: 'CUSTOM' });
  expect(await runDeploy(user, id)).toBe('FAILED');
  const fixed = 'persistent actor { public query func money() : async Nat { 5 } }';
  const commit = (await pushFiles(product, user, 'shop', shop(fixed))).slice(0, 7);
  const deploy = new DeployPage(page);
  await page.goto(`${product.url}/ics/deploy/${id}`);

  await test.step('one press on Deploy again, however hasty, is one run', async () => {
    let triggers = 0;
    page.on('request', (request) => {
      if (request.url().includes('/trigger')) triggers += 1;
    });
    await expect(page.getByText('This run failed')).toBeVisible();
    await inspectOnPhone(page, 'deploy-again');
    await page.getByRole('button', { name: 'Deploy again' }).dblclick();
    await expect(page.getByText('Deployment Started!')).toBeVisible();
    await expect(deploy.latest).toContainText('Deploying');
    await expect(page.getByRole('button', { name: 'Deploy again' })).toHaveCount(0);
    await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 90_000 });
    expect(triggers).toBe(1);
    expect(await runsOf(user, id)).toEqual(['MANUAL COMPLETED', 'MANUAL FAILED']);
    await expect(deploy.latest).toContainText(`is live for ${commit}`);
    // A run that was made good long ago offers nothing.
    await deploy.earlier.getByRole('button').first().click();
    await expect(deploy.earlier.getByText('This run failed')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Deploy again' })).toHaveCount(0);
  });

  await test.step('a module of the run becomes a registry', async () => {
    await deploy.latest.click();
    const modules = page.getByRole('list', { name: 'Modules of this run' });
    await expect(modules.getByRole('listitem')).toHaveCount(2);
    await expect(modules).not.toContainText('pages');
    await modules.getByRole('button', { name: 'Add to registry: till' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to registry' });
    const name = dialog.getByLabel('Name');
    await expect(name).toHaveValue(`till ${commit}`);
    await inspectOnPhone(page, 'add-module');
    await name.fill(' ');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Name is required.')).toBeVisible();
    await name.fill(`Till ${commit}`);
    await page.keyboard.press('Enter');
    await expect(page.getByText('Added to the registries')).toBeVisible();
    await expect(dialog).toBeHidden();
    await page.getByRole('link', { name: 'Registries' }).click();
    await expect(page.getByRole('row').filter({ hasText: `Till ${commit}` })).toBeVisible();
    await page.goBack();
  });

  await test.step('the canisters are deleted only once the name is typed', async () => {
    await user.api.call('POST', '/canister/create', { name: 'Of no DApp' });
    await page.getByRole('tab', { name: 'Settings' }).click();
    await deleteOn(page).click();
    const dialog = page.getByRole('dialog', { name: 'Delete My shop?' });
    await expect(dialog.getByRole('list', { name: 'Canisters of this DApp' })).toContainText(
      /My\s+shop\/till.*2\.00 T.*My\s+shop\/stock.*2\.00 T.*My\s+shop\/pages.*\d\.\d\d T/s,
    );
    // No way is chosen, so Enter deletes nothing.
    await expect(deleteOn(page).last()).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await deleteOn(page).click();
    await dialog.getByLabel('Delete the canisters').check();
    await expect(dialog).toContainText(/\d\.\d\d T of cycles come back to your account/);
    const confirm = dialog.getByRole('button', { name: 'Delete DApp and canisters' });
    const typed = dialog.getByLabel('Type My shop to delete the canisters');
    await expect(dialog.getByRole('button', { name: /^Delete DApp/ })).toBeDisabled();
    await typed.fill('my shop');
    await expect(dialog.getByRole('button', { name: /^Delete DApp/ })).toBeDisabled();
    await inspectOnPhone(page, 'delete-dapp');
    await typed.fill('My shop');
    await expect(confirm).toBeEnabled();
    await confirm.click();
    await expect(page.getByText('DApp deleted')).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText(/\d\.\d\d T came back to your account\.$/)).toBeVisible();
    await expect(page).toHaveURL(/\/ics\/canisters$/);
    await expect(page.getByText("You haven't deployed anything yet.")).toBeVisible();
    expect(await canistersOf(user)).toEqual(['Of no DApp']);
    await expect(new CanistersPage(page, product.url).row('My shop/till')).toHaveCount(0);
  });

  await test.step('nothing shows it any more', async () => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command palette' });
    await palette.getByRole('combobox').fill('My shop');
    await expect(palette.getByText('Nothing matches.')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('My shop')).toHaveCount(0);
    await page.goto(`${product.url}/ics/deploy/${id}`);
    await expect(page.getByText('This deploy cannot be shown.')).toBeVisible();
  });
});

test('a DApp is deleted without its canisters, once no run of it is under way', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Bread</h1>' });
  const site = { name: 'Bakery', repo_name: 'bakery', deploy_type: 'STATIC_SITE' } as const;
  const id = await createDeploy(user, { ...site, build_command: 'true' });
  await runDeploy(user, id);
  await user.api.call('PATCH', `/deploy/${id}`, { build_cmd: 'sleep 300.5' });
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const run = await user.api.call<{ id: string }>('POST', `/deploy/${id}/trigger`);
  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  await deleteOn(page).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Bakery?' });
  await dialog.getByLabel('Keep the canisters').check();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText(
    'A run of this DApp is under way or waits. Cancel it first, then delete the DApp.',
  );
  await user.api.call('POST', `/deploy/${id}/instances/${run.id}/cancel`);
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Delete DApp' }).click();
    await expect(page).toHaveURL(/\/ics\/canisters$/, { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
  await expect(page.getByText("You haven't deployed anything yet.")).toBeVisible();
  await expect(new CanistersPage(page, product.url).row('Bakery')).toBeVisible();
  const answer = await fetch(`${product.networkUrl}/?canisterId=${canisters[0]}`);
  expect(await answer.text()).toContain('Bread');
});
