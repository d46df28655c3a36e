import type { Page } from '@playwright/test';
import { violationsInThemes, expectFits } from '../support/accessibility.ts';
import { expect, test } from '../support/product.ts';

// The time of the network is everybody's, so these tests have a product for themselves.
test.use({ settings: { NETWORK_SERVICES: 'default', NETWORK_DASHBOARD: 'on' } });

const DAY_MS = 86_400_000;
const LEDGER = 'um5iw-rqaaa-aaaaq-qaaba-cai';

/** The time that the page shows, in milliseconds since 1970. */
async function shownTime(page: Page): Promise<number> {
  return Date.parse(
    (await page.getByLabel('Time', { exact: true }).locator('time').getAttribute('datetime')) ?? '',
  );
}

test('the page shows the network, sets its time ahead, and lets canisters call out', async ({
  page,
  product,
  user,
  signedIn: _s,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${product.url}/ics/dashboard`);
  await page.getByRole('button', { name: 'profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Network', exact: true }).click();
  await expect(page).toHaveURL(/\/ics\/network$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Network' })).toBeVisible();

  const system = page.getByLabel('System canisters', { exact: true });
  await expect(system.getByRole('listitem')).toHaveCount(5);
  const row = system.getByRole('listitem').filter({ hasText: 'Cycles ledger' });
  await expect(row).toContainText('Running');
  await expect(row.getByRole('button', { name: 'Copy id of Cycles ledger' })).toBeVisible();
  const opened = page.waitForEvent('popup');
  await row.getByRole('link', { name: 'Open' }).click();
  const candid = await opened;
  await expect(candid.getByText('Cycles ledger').first()).toBeVisible();
  await expect(candid.getByText('icrc1_balance_of').first()).toBeVisible();
  await candid.close();

  await expect(page.getByRole('link', { name: 'Dashboard', exact: true }).last()).toHaveAttribute(
    'href',
    /\/_\/dashboard$/,
  );
  await expect(page.getByText('mode: connected')).toBeVisible();
  await expect(page.getByText('"providers"')).toBeVisible();

  const before = await shownTime(page);
  await page.getByRole('button', { name: 'Advance time by a day' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Time cannot run back.');
  await dialog.getByLabel('Amount').fill('0');
  await dialog.getByRole('button', { name: 'Advance', exact: true }).click();
  await expect(dialog.getByText('Enter a whole number of at least 1.')).toBeVisible();
  await dialog.getByLabel('Amount').fill('1');
  await dialog.getByRole('button', { name: 'Advance by 1 day' }).click();
  await expect(page.getByText('Time was set ahead by 1 day.')).toBeVisible();
  await expect(page.getByText('1 day ahead of this computer')).toBeVisible();
  expect((await shownTime(page)) - before).toBeGreaterThanOrEqual(DAY_MS);

  const outcalls = page.getByRole('switch', { name: 'Canisters may call out (HTTPS outcalls)' });
  await expect(outcalls).not.toBeChecked();
  await outcalls.check();
  await expect(outcalls).toBeEnabled();
  await page.reload();
  await expect(outcalls).toBeChecked();
  expect(await user.api.call('GET', '/network')).toMatchObject({ outcalls: true });
  expect(await violationsInThemes(page)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page, 'the network');
});

test('a canister of the system is called by its name, wherever somebody comes upon its id', async ({
  page,
  product,
  signedIn: _s,
}) => {
  await page.goto(`${product.url}/ics/canister/${LEDGER}`);
  await expect(page.getByRole('heading', { name: 'Cycles ledger' })).toBeVisible();
  await expect(page.getByText('It belongs to nobody')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open its Candid page' })).toHaveAttribute(
    'href',
    new RegExp(LEDGER),
  );
  await page.goto(`${product.url}/ics/canister/aaaaa-aa`);
  await expect(page.getByRole('heading', { name: 'Management canister' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open its Candid page' })).toHaveCount(0);
});

test('with another network there is no entry and no page', async ({ page, product, signedIn: _s }) => {
  const config = await (await page.request.get(`${product.url}/api/config`)).json();
  await page.route('**/api/config', (route) =>
    route.fulfill({ json: { ...config, embedded_network: false } }),
  );
  await page.goto(`${product.url}/ics/network`);
  await expect(page.getByText("Oops. Looks like the page you're looking for no longer exists")).toBeVisible();
  await page.goto(`${product.url}/ics/dashboard`);
  await page.getByRole('button', { name: 'profile menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Account', exact: true })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Network', exact: true })).toHaveCount(0);
});
