import type { Locator, Page } from '@playwright/test';
import { createDeploy, runDeploy } from '../support/deploys.ts';
import { expectFits, violationsInThemes } from '../support/accessibility.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { addressOfTab } from '../support/opened-tab.ts';
import { expect, test } from '../support/product.ts';
import { type Owner, pushFiles } from '../support/repositories.ts';

const bakery = { name: 'Bakery', repo_name: 'bakery', deploy_type: 'STATIC_SITE' } as const;

interface Run {
  readonly id: string;
  readonly status: string;
  readonly trigger_by: string;
  readonly commit_id: string;
}

/** Runs of a deploy, newest first. */
const runs = async ({ api }: Owner, id: string): Promise<Run[]> =>
  (await api.call<{ data: Run[] }>('GET', `/deploy/${id}/instances`)).data;

const menuOf = (row: Locator): Locator => row.getByRole('button', { name: /^Actions for/ });

async function choose(page: Page, row: Locator, name: string): Promise<void> {
  await menuOf(row).click();
  await page.getByRole('menuitem', { name }).click();
}

test('[DEPD-10] [DEPD-11] one run is marked as live, and each tells who, why and how long; its menu works by keyboard', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', { 'index.html': 'one', 'gone.html': 'x' }, 'Bake the first loaf');
  const id = await createDeploy(user, bakery);
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await pushFiles(product, user, 'bakery', { 'index.html': 'two' }, 'Bake the second loaf');
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await user.api.call('PATCH', `/deploy/${id}`, { build_cmd: 'exit 1' });
  expect(await runDeploy(user, id)).toBe('FAILED');
  await user.api.call('PATCH', `/deploy/${id}`, { build_cmd: '' });
  const [, second, first] = await runs(user, id);

  await page.goto(`${product.url}/ics/deploy/${id}`);
  const deploy = new DeployPage(page);
  const mark = page.getByRole('tabpanel').getByText('Live', { exact: true });
  await expect(mark).toHaveCount(1);
  await expect(deploy.earlier.nth(0).getByText('Live', { exact: true })).toBeVisible();
  await expect(deploy.earlier.nth(0)).toContainText(second?.commit_id ?? 'none');
  // The sentence of the specification stays, and of those that are not served it goes on.
  await expect(
    deploy.earlier.nth(0).getByText(`Bakery is live for ${second?.commit_id}`, { exact: true }),
  ).toHaveCount(1);
  await expect(
    deploy.earlier.nth(1).getByText(`Bakery is live for ${first?.commit_id}, replaced since`),
  ).toHaveCount(1);
  for (const row of [deploy.earlier.nth(0), deploy.earlier.nth(1), deploy.latest])
    await expect(row).toContainText(/Ada.*by hand.*\d+(\.\d)?s.*[A-Z][a-z]{2} \d{2}, \d{4} \d{2}:\d{2}/);

  // By the keyboard: opened, walked, left.
  await menuOf(deploy.earlier.nth(1)).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Roll back to this' })).toBeFocused();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Roll back to this',
    'Redeploy this commit',
    'Compare with what is live',
    'Copy link',
    'Log',
  ]);
  expect(await violationsInThemes(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Redeploy this commit' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(menuOf(deploy.earlier.nth(1))).toBeFocused();
  await expect(deploy.earlier.getByRole('log'), 'nothing is opened by that').toHaveCount(0);

  // What is live is not rolled back to, nor compared with itself; a failed run is not rolled back to.
  await menuOf(deploy.earlier.nth(0)).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Redeploy this commit', 'Copy link', 'Log']);
  await page.keyboard.press('Escape');
  await page.getByRole('tabpanel').locator('h2 + button').click();
  await expect(page.getByRole('menuitem')).toHaveText(['Redeploy this commit', 'Copy link', 'Log']);
  await page.keyboard.press('Escape');

  // What differs, and the text of a file as that run had it.
  await choose(page, deploy.earlier.nth(1), 'Compare with what is live');
  const files = page.getByRole('list', { name: 'Files that differ' }).getByRole('listitem');
  await expect(files).toHaveText([/gone\.html.*only in this run/, /index\.html.*different/]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // Its address, copied and opened.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await choose(page, deploy.earlier.nth(1), 'Copy link');
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  const address = `${product.url}/ics/deploy/${id}/runs/${first?.id}`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  for (const open of ['row', 'item'] as const) {
    const opened = await addressOfTab(page, async () => {
      if (open === 'row') {
        await deploy.earlier
          .nth(1)
          .getByRole('button')
          .first()
          .click({ modifiers: ['Control'] });
        return;
      }
      await menuOf(deploy.earlier.nth(1)).click();
      await page.getByRole('menuitem', { name: 'Log' }).click({ modifiers: ['Control'] });
    });
    expect(opened, open).toBe(address);
    await expect(deploy.earlier.getByRole('log'), 'nothing is opened here by that').toHaveCount(0);
  }
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await choose(page, deploy.earlier.nth(1), 'Log');
  await expect(page).toHaveURL(address);
  await expect(deploy.earlier.nth(1).getByRole('log')).toBeInViewport({ ratio: 0.9 });

  // The same commit again, with the settings of today.
  await user.api.call('PATCH', `/deploy/${id}`, { build_cmd: 'echo baked >> index.html' });
  await choose(page, deploy.earlier.nth(1), 'Redeploy this commit');
  await expect(deploy.latest).toContainText(`Deploying ${first?.commit_id}`);
  await expect(deploy.latest).toContainText('redeploy');
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  await expect(mark).toHaveCount(1);
  await expect(deploy.latest.getByText('Live', { exact: true })).toBeVisible();
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  expect(await (await fetch(`${product.networkUrl}/?canisterId=${canisters[0]}`)).text()).toBe('onebaked\n');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page, 'the runs of a deploy');
});

test('a rollback leads to its log, can be undone for ten seconds, and lets pushes wait', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', { 'index.html': 'one' }, 'Bake the first loaf');
  const id = await createDeploy(user, bakery);
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await pushFiles(product, user, 'bakery', { 'index.html': 'two' }, 'Bake the second loaf');
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const live = async (): Promise<string> =>
    (await fetch(`${product.networkUrl}/?canisterId=${canisters[0]}`)).text();
  const deploy = new DeployPage(page);
  const dialog = page.getByRole('dialog');
  const undo = page.getByRole('button', { name: 'Undo the rollback' });
  const paused = page.getByText('Deploy on push is paused');
  const rollBack = dialog.getByRole('button', { name: 'Roll back', exact: true });

  // Where no push starts a run there is nothing to ask.
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await choose(page, deploy.earlier.nth(0), 'Roll back to this');
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  await rollBack.click();
  await expect(page.getByText('The rollback has started.')).toBeVisible();
  await expect(undo).toBeVisible();
  const [back] = await runs(user, id);
  expect(back?.trigger_by).toBe('ROLLBACK');
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}/runs/${back?.id}`);
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  expect(await live()).toBe('one');
  await expect(deploy.latest.getByText('Live', { exact: true })).toBeVisible();
  await undo.click();
  await expect(page.getByText('The rollback is being undone.')).toBeVisible();
  await expect(undo).toHaveCount(0);
  await expect.poll(live, { timeout: 60_000 }).toBe('two');
  await expect(page.getByRole('tabpanel').getByText('Live', { exact: true })).toHaveCount(1);
  await expect(deploy.latest.getByText('Live', { exact: true })).toBeVisible();
  // The log that was shown for the rollback does not open by itself in its row.
  await expect(deploy.earlier.getByRole('log')).toHaveCount(0);

  await user.api.call('PATCH', `/deploy/${id}`, { on_push: true });
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await choose(page, deploy.earlier.last(), 'Roll back to this');
  await dialog.getByRole('checkbox', { name: /Pause deploy on push/ }).check();
  await rollBack.click();
  await expect(undo).toBeVisible();
  const since = Date.now();
  await expect(paused).toBeVisible();
  await page.mouse.move(5, 5);
  await expect(undo).toHaveCount(0, { timeout: 15_000 });
  expect(Date.now() - since).toBeGreaterThan(8_500);
  expect(Date.now() - since).toBeLessThan(13_000);
  await expect.poll(live).toBe('one');
  const before = (await runs(user, id)).length;
  await pushFiles(product, user, 'bakery', { 'index.html': 'three' }, 'Bake the third loaf');
  expect(await runs(user, id)).toHaveLength(before);
  await page.reload();
  await expect(paused).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(paused).toHaveCount(0);
  await pushFiles(product, user, 'bakery', { 'index.html': 'four' }, 'Bake the fourth loaf');
  await expect.poll(live, { timeout: 60_000 }).toBe('four');
});

test('[DEPD-13] [DEPD-16] a manual deploy on the tab of the settings leads to its log, above which nothing waits', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', { 'index.html': 'one' }, 'Bake the first loaf');
  const id = await createDeploy(user, { ...bakery, build_command: 'echo mixing; sleep 6; echo baked' });
  // As when the log is faster than the polls, which then say for long that the run waits.
  let isLate = true;
  await page.route('**/instances/*', async (route) => {
    const response = await route.fetch();
    const run = (await response.json()) as object;
    const waits = { status: 'SCHEDULED', waiting: { reason: 'line', ahead: 0 }, duration: null };
    await route.fulfill({ response, json: isLate ? { ...run, ...waits } : run });
  });
  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  const deploy = new DeployPage(page);
  await deploy.manualDeploy.click();
  await expect(page.getByText('Deployment Started!')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}`);
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true');
  await expect(deploy.latest).toHaveAttribute('aria-expanded', 'true');
  await expect(deploy.log).toContainText('mixing');
  await page.waitForResponse(/\/instances\/[\w-]+$/);
  await expect(page.getByText(/^Waiting/)).toHaveCount(0);
  await expect(deploy.latest).toContainText('Deploying');
  isLate = false;
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
});
