import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectFits, violationsInThemes } from '../support/accessibility.ts';
import { createCanister, emptyModule, installModule, readingsOf, topUp } from '../support/canisters-of.ts';
import { failCalls, holdCalls } from '../support/calls.ts';
import { submitDapp, uniqueModule, updateDapp } from '../support/dapps-of.ts';
import { createDeploy, createSite, runDeploy } from '../support/deploys.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { compileMotoko } from '../support/motoko.ts';
import { ProductTable } from '../pages/product-table.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

/** Expects nothing wrong for anybody, in every theme and at every width that the design knows. */
async function expectForEverybody(page: Page, name: string): Promise<void> {
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectFits(page, `${name}, ${width} px wide`);
    expect.soft(await violationsInThemes(page), `${name}, ${width} px wide`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('[NAV-04] [ACC-02] [ACC-03] a new account is offered its first app, its balance and its history', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const release = await holdCalls(page, '**/api/canister/list/');
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('status', { name: 'Loading dashboard' })).toBeVisible();
  const first = page.getByRole('region', { name: 'Deploy your first app' });
  await expect(first).toBeHidden();
  await release();
  await expect(first).toBeVisible();
  await expect(page.getByRole('main').locator('dd')).toHaveText(['100.00 T', '0']);
  await expect(new ProductTable(page, 'Transactions').rows).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Apps' })).toBeHidden();
  expect(await layoutShift(page)).toBeLessThanOrEqual(NOT_MOVED);
  const card = await first.boundingBox();
  const whole = await page.getByRole('main').boundingBox();
  expect((whole?.width ?? 0) - (card?.width ?? 0), 'as wide as the page').toBeLessThan(60);

  await expectForEverybody(page, 'a new account');

  await first.getByRole('button', { name: 'Static site' }).click();
  await expect(page).toHaveURL(/\/ics\/deploy\/new\?deploy_type=STATIC_SITE$/);
  await expect(page.getByLabel('Build command')).toHaveValue('node build.mjs');
});

test('without templates the kinds of app stand in their place', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await failCalls(page, '**/api/repository/templates', 404);
  await page.goto(`${product.url}/ics/dashboard`);
  const ways = page.getByRole('list', { name: 'Ways to begin' }).getByRole('link');
  await expect(ways).toHaveText([/Static website/, /Motoko smart contract/, /Your own repo/, /An empty can/]);
  await ways.nth(1).click();
  await expect(page).toHaveURL(/\/ics\/deploy\?type=MOTOKO$/);
});

test('[ACC-02] [ACC-03] the dashboard begins with what needs attention, then lists the apps, then what they cost', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const poor = await createCanister(user.api, 'Poor');
  await installModule(user.api, poor, emptyModule);
  const settings = { freezing_threshold: '100000000000000' };
  await user.api.call('POST', '/canister/settings', { canister_id: poor, settings });
  const old = uniqueModule();
  const dapp = await submitDapp(user.api, { name: `Ledger ${user.name}` }, old);
  const runner = await createCanister(user.api, 'Runner');
  await installModule(user.api, runner, old, { from: `dapp ${dapp}` });
  await updateDapp(user.api, dapp, '2.0.0', uniqueModule());
  // A line needs two readings of the balance, and each top-up is one.
  await expect
    .poll(() => topUp(user.api, runner, 0.5).then(() => readingsOf(user.api, runner)), { intervals: [5_000] })
    .toBeGreaterThanOrEqual(2);
  const site = await createSite(product, user, 'shop');
  expect(await runDeploy(user, site)).toBe('COMPLETED');
  await pushFiles(product, user, 'broken', { 'index.html': '<h1>broken</h1>' });
  const failing = { build_command: 'exit 3', publish_directory: '.' };
  const broken = await createDeploy(user, {
    name: 'broken',
    repo_name: 'broken',
    deploy_type: 'STATIC_SITE',
    ...failing,
  });
  expect(await runDeploy(user, broken)).toBe('FAILED');

  await page.goto(`${product.url}/ics/dashboard`);
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('listitem')).toHaveText([
    /broken The last run failed/,
    /Poor Frozen: it refuses calls/,
    /Runner Ledger .* 2\.0\.0 is available/,
  ]);
  const apps = page.getByRole('region', { name: 'Apps' }).getByRole('listitem');
  await expect(apps).toHaveText([/^broken/, /^shop/, /^Runner/, /^Poor/]);
  await expect(apps.nth(0)).toContainText('failed');
  await expect(apps.nth(1)).toContainText('live');
  await expect(apps.nth(1).getByRole('link', { name: /localhost/ })).toHaveAttribute('target', '_blank');
  // A line of two readings. That of the site is level, and Chromium calls a level path hidden.
  await expect(apps.nth(2).locator('[data-spark] path')).toBeVisible();
  const main = page.getByRole('main');
  await expect(main.locator('dd').first()).toHaveText(/ T$/);
  await expect(page.getByRole('slider', { name: 'Balance over time' })).toBeVisible();
  await expect(new ProductTable(page, 'Transactions').rows).not.toHaveCount(0);
  expect(await layoutShift(page)).toBeLessThanOrEqual(NOT_MOVED);

  await expectForEverybody(page, 'dashboard');

  await attention.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(page.getByRole('dialog', { name: 'Add Cycles' })).toContainText('Poor');
  await page.keyboard.press('Escape');
  const back = { canister_id: poor, settings: { freezing_threshold: '2592000' } };
  await user.api.call('POST', '/canister/settings', back);
  await expect(attention, 'what is put right goes by itself').not.toContainText('Poor');
  await attention.getByRole('link', { name: 'See the log' }).click();
  await expect(page).toHaveURL(new RegExp(`/ics/deploy/${broken}/runs/`));
});

test('the first steps are marked as the service has recorded them, and go when all are done', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  await page.goto(`${product.url}/ics/dashboard`);
  const steps = page.getByRole('list', { name: 'First steps' }).getByRole('listitem');
  const inFirst = page.getByRole('region', { name: 'Deploy your first app' });
  await expect(inFirst.getByRole('heading', { name: 'Your first week' })).toBeVisible();
  await expect(steps).toHaveCount(4);
  await expect(page.getByText('0 of 4 done')).toBeVisible();
  const id = await createCanister(user.api, 'Bakery');
  const source = 'persistent actor { public func bake() : async () {} }';
  await installModule(user.api, id, readFileSync(compileMotoko(source)));
  await expect(page.getByText('1 of 4 done'), 'the open page is told').toBeVisible();
  await expect(steps.nth(0)).toContainText('Done');
  expect(await page.evaluate(() => localStorage.getItem('answered-canister'))).toBeNull();

  await test.step('a call of the Candid page, which has no session, is passed on', async () => {
    const candid = await page.context().newPage();
    await candid.goto(`${product.url}/candid/?id=${id}`);
    await candid.getByRole('button', { name: 'Call', exact: true }).first().click();
    await expect(page.getByText('2 of 4 done')).toBeVisible();
    await candid.close();
  });

  await pushFiles(product, user, 'shop', { 'index.html': '<h1>first</h1>' });
  await expect(page.getByText('3 of 4 done')).toBeVisible();
  const site = await createDeploy(user, { name: 'shop', repo_name: 'shop', deploy_type: 'STATIC_SITE' });
  expect(await runDeploy(user, site)).toBe('COMPLETED');
  expect(await runDeploy(user, site)).toBe('COMPLETED');
  await expectForEverybody(page, 'three first steps');
  const { data } = await user.api.call<{ data: { id: string }[] }>('GET', `/deploy/${site}/instances`);
  await user.api.call('POST', `/deploy/${site}/instances/${data.at(-1)?.id}/rollback`, {});
  await expect(page.getByText('3 of 4 done')).toBeHidden({ timeout: 60_000 });
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Apps' })).toBeVisible();
  await expect(steps).toHaveCount(0);
});

test('the first steps are put away for good, on every computer', async ({
  page,
  product,
  signedIn: _signedIn,
  browser,
  user,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  const steps = page.getByRole('list', { name: 'First steps' });
  await expect(steps).toBeVisible();
  await page.getByRole('button', { name: 'Put the first steps away' }).click();
  await expect(steps).toBeHidden();
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.addInitScript((token) => localStorage.setItem('token', token), user.api.token);
  await elsewhere.goto(`${product.url}/ics/dashboard`);
  await expect(elsewhere.getByRole('region', { name: 'Deploy your first app' })).toBeVisible();
  await expect(elsewhere.getByRole('list', { name: 'First steps' })).toHaveCount(0);
  await elsewhere.context().close();
});

test('Back leads to the place of the dashboard that one came from', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Bakery');
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(new ProductTable(page, 'Transactions').rows).not.toHaveCount(0);
  const place = () => page.evaluate(() => Math.round(scrollY));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(place).toBeGreaterThan(300);
  const bottom = await place();
  await page.getByRole('link', { name: 'Registries', exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Add new registry' })).toBeVisible();
  await page.goBack();
  await expect(new ProductTable(page, 'Transactions').rows).not.toHaveCount(0);
  expect(Math.abs((await place()) - bottom)).toBeLessThan(5);
});
