import type { Locator } from '@playwright/test';
import { callsOf, holdCalls } from '../support/calls.ts';
import { createCanister } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { createSite } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';

test.beforeEach(async ({ page, product, signedIn: _signedIn }) => {
  await page.goto(`${product.url}/ics/dashboard`);
});

test('[NAV-01] / leads to the dashboard, and who is not signed in from there to /login', async ({
  page,
  browser,
  product,
}) => {
  await page.goto(product.url);
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  await using context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(product.url);
  await expect(visitor).toHaveURL(`${product.url}/login`);
});

test('[NAV-04] [NAV-05] [NAV-06] the sidebar leads to the dashboard and to the canisters, which have a short address too', async ({
  page,
  product,
  user,
}) => {
  await createCanister(user.api, 'Listed');
  await createSite(product, user, 'listed-app');
  const both = async () => {
    await expect(page.getByRole('table', { name: 'Canisters' })).toContainText('Listed');
    await expect(page.getByRole('table', { name: 'DApps' })).toContainText('listed-app');
  };
  const sidebar = page.getByRole('complementary');
  await sidebar.getByRole('link', { name: 'Canisters' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/canisters`);
  await both();
  await page.reload();
  await both();
  await sidebar.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Apps' })).toContainText('listed-app');
  await expect(page.getByRole('table', { name: 'Transactions' })).toContainText('CANISTER CREATE');
  await page.goto(`${product.url}/canisters`);
  await expect(page).toHaveURL(`${product.url}/canisters`);
  await both();
});

test('[NAV-07] canister, dapp, registries, marketplace and account each have a screen at their address', async ({
  page,
  product,
  user,
}) => {
  const canister = await createCanister(user.api, 'Own screen');
  const dapp = await submitDapp(user.api, { name: `Screened ${user.name}` }, uniqueModule());
  for (const [address, heading, part] of [
    [`/ics/canister/${canister}`, 'Own screen', page.getByRole('tab', { name: 'Snapshots' })],
    [`/ics/dapp/${dapp}`, `Screened ${user.name}`, page.getByText('Uploaded by:')],
    ['/ics/registries', 'Registries', page.getByRole('button', { name: 'Add new registry' })],
    ['/ics/marketplace', 'Marketplace', page.getByRole('button', { name: 'Submit DApp' })],
    ['/ics/account', 'Account', page.getByRole('table', { name: 'Transactions' })],
  ] as const) {
    await page.goto(product.url + address);
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(heading);
    await expect(part, address).toBeVisible();
    await expect(page).toHaveURL(product.url + address);
  }
});

test('[NAV-09] [NAV-10] [NAV-11] the addresses of the deploy pages open what they name', async ({
  page,
  product,
  user,
}) => {
  const choices = [
    ['/ics/deploy', /static (web)?site/i],
    ['/ics/deploy/', /static (web)?site/i],
    ['/ics/deploy?type=STATIC_SITE', /static (web)?site/i],
    ['/ics/deploy/?type=MOTOKO', /motoko/i],
    ['/ics/deploy?type=CUSTOM', /custom/i],
  ] as const;
  const id = await createSite(product, user, 'addressed');
  for (const [address, heading] of choices) {
    await page.goto(product.url + address);
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveText(heading);
    await expect(page.getByRole('tab', { name: 'My repositories' }), address).toHaveAttribute(
      'aria-selected',
      'true',
    );
  }

  const calls = callsOf(page, 'GET', '/deploy/new');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'addressed' })
    .getByRole('button', { name: 'Connect' })
    .click();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/new?deploy_type=CUSTOM`);
  await expect(page.getByRole('button', { name: 'Deploy', exact: true })).toBeVisible();
  expect(calls).toHaveLength(0);

  const settings = page.getByRole('tab', { name: 'Settings' });
  for (const [address, open] of [
    [`/ics/deploy/${id}`, false],
    [`/ics/deploy/${id}/details`, false],
    [`/ics/deploy/${id}/settings`, true],
  ] as const) {
    await page.goto(product.url + address);
    await expect(settings, address).toHaveAttribute('aria-selected', String(open));
    await page.reload();
    await expect(settings, address).toHaveAttribute('aria-selected', String(open));
    await expect(page).toHaveURL(product.url + address);
  }
});

test('[NAV-12] the page of pipelines holds its place and does nothing', async ({ page, product }) => {
  await page.goto(`${product.url}/ics/pipelines/create`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: 'Create new pipeline' })).toBeVisible();
  await expect(main.getByRole('button').or(main.getByRole('link')).or(main.getByRole('textbox'))).toHaveCount(
    0,
  );
});

test('[NAV-13] an unknown path shows the 404 page with a way home', async ({ page, product }) => {
  await page.goto(`${product.url}/no/such/page`);
  await expect(page.getByText("Oops. Looks like the page you're looking for no longer exists")).toBeVisible();
  await page
    .getByRole('link', { name: 'Back to Home' })
    .or(page.getByRole('button', { name: 'Back to Home' }))
    .click();
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
});

test('[NAV-16] [NAV-17] [ACC-01] [CONST-10] the top bar greets the user; its menu leads to the account and to the configured chat', async ({
  page,
  product,
  user,
}) => {
  const { support_url: support, product_name: title } = await user.api.call<{
    support_url: string;
    product_name: string;
  }>('GET', '/config');
  const bar = page.getByRole('banner');
  await expect(bar.getByRole('button', { name: 'Close sidebar' })).toBeVisible();
  await expect(bar.getByRole('link', { name: title, exact: true })).toBeVisible();
  await expect(bar.getByText('Hi,')).toBeVisible();
  await page.getByRole('button', { name: new RegExp(user.name) }).click();
  const chat = page.getByRole('menuitem', { name: 'Support', exact: true });
  expect(new URL(support).origin, 'the chat is elsewhere').not.toBe(product.url);
  await expect(chat).toHaveAttribute('href', support);
  await expect(chat).toHaveAttribute('target', '_blank');
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/ics/account`);
  await page.getByRole('button', { name: new RegExp(user.name) }).click();
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
});

test('[NAV-24] the sidebar is 240 px wide open and 85 px collapsed', async ({ page }) => {
  const sidebar = page.getByRole('complementary');
  const toggle = page.getByRole('button', { name: /sidebar/i });
  const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0);
  // From where the sidebar stands beside the page on.
  for (const window of [1440, 960, 1920]) {
    await page.setViewportSize({ width: window, height: 900 });
    await expect.poll(width, `${window} px`).toBe(240);
    await toggle.click();
    await expect.poll(width, `${window} px`).toBe(85);
    await toggle.click();
    await expect.poll(width, `${window} px`).toBe(240);
  }
});

test('[NAV-25] below the medium breakpoint the sidebar is a drawer that the same toggle opens and closes', async ({
  page,
}) => {
  const drawer = page.getByTestId('sidebar');
  const canisters = drawer.getByRole('link', { name: 'Canisters' });
  await page.setViewportSize({ width: 960, height: 844 });
  await expect(canisters, 'at the breakpoint it stands beside the page').toBeVisible();
  await page.setViewportSize({ width: 959, height: 844 });
  await expect(canisters).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  const toggle = page.getByRole('button', { name: /sidebar/i });
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await expect(canisters).toBeHidden();
  for (const close of [
    () => toggle.click(),
    () => toggle.press('Enter'),
    () => toggle.press('Space'),
    () => page.keyboard.press('Escape'),
    () => page.getByTestId('drawer-scrim').click({ position: { x: 360, y: 400 } }),
  ]) {
    await toggle.click();
    await expect(canisters).toBeVisible();
    await expect(toggle).toHaveAttribute('aria-expanded', 'true');
    await close();
    await expect(canisters).toBeHidden();
    await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  }
  await toggle.press('Enter');
  // From the toggle the keyboard gets into the drawer, and not to the page that it covers.
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(drawer.getByRole('link', { name: 'Dashboard' })).toBeFocused({ timeout: 200 });
  }).toPass();
  await page.keyboard.press('Tab');
  await expect(canisters).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ics\/canisters$/);
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
});

test('[NAV-31] [NAV-22] collapsed, the sidebar still tells balance and count, in full on hover and on focus', async ({
  page,
  user,
}) => {
  await createCanister(user.api, 'Counted');
  await page.reload();
  const block = page.getByRole('region', { name: 'Account Details' });
  await expect(block).toContainText('98.00 T');
  await page.getByRole('button', { name: /sidebar/i }).click();
  const balance = block.getByRole('button', { name: 'Balance 98.00 T' });
  const count = block.getByRole('button', { name: 'Canisters 1' });
  await expect(balance).toHaveText('98.00 T');
  await expect(count).toHaveText('1');
  await balance.hover();
  await expect(page.getByRole('tooltip')).toHaveText('Balance: 98000000000000 cycles');
  await page.mouse.move(600, 400);
  await expect(page.getByRole('tooltip')).toBeHidden();
  await balance.focus();
  await page.keyboard.press('Tab');
  await expect(count).toBeFocused();
  await expect(page.getByRole('tooltip')).toHaveText('Canisters: 1');
  const edge = (await page.getByTestId('sidebar').boundingBox())?.width ?? 0;
  for (const part of [balance, count]) {
    const box = await part.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(edge);
  }

  const rich = { balance: 12_345_670_000_000_000, total_canisters: 1234 };
  await page.route('**/api/getInsights/*', (route) => route.fulfill({ json: rich }));
  await page.reload();
  await page.getByRole('button', { name: /sidebar/i }).click();
  const large = block.getByRole('button', { name: 'Balance 12345.67 T' });
  await expect(large).toHaveText('12.3k T');
  await large.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tooltip')).toHaveText('Balance: 12345670000000000 cycles');
});

test("[NAV-20] [NAV-18] 'Create DApp' opens and closes its two entries", async ({ page }) => {
  const sidebar = page.getByRole('complementary');
  const site = sidebar.getByRole('link', { name: 'Static Website' });
  const parent = sidebar.getByRole('button', { name: 'Create DApp' });
  await expect(site).toBeHidden();
  await parent.click();
  await expect(site).toHaveAttribute('href', '/ics/deploy/?type=STATIC_SITE');
  await expect(sidebar.getByRole('link', { name: 'Motoko Smart Contract' })).toHaveAttribute(
    'href',
    '/ics/deploy/?type=MOTOKO',
  );
  await parent.click();
  await expect(site).toBeHidden();
  await parent.click();
  await site.click();
  await expect(page).toHaveURL(/\/ics\/deploy\/?\?type=STATIC_SITE$/);

  // Collapsed, the sidebar offers them as well.
  await page.getByRole('link', { name: 'Marketplace' }).click();
  await page.getByRole('button', { name: 'Close sidebar' }).click();
  const contract = sidebar.getByRole('link', { name: 'Motoko Smart Contract' });
  await expect(contract).toBeHidden();
  await parent.click();
  await expect(site).toBeVisible();
  await contract.click();
  await expect(page).toHaveURL(/\/ics\/deploy\/?\?type=MOTOKO$/);
});

test("[NAV-19] the 'Coming Soon' item does nothing", async ({ page, product }) => {
  const item = page.getByRole('complementary').locator('[aria-disabled="true"]', { hasText: 'Coming Soon' });
  await expect(item).toBeVisible();
  await item.click({ force: true });
  await item.focus();
  await expect(item).not.toBeFocused();
  await item.dispatchEvent('keydown', { key: 'Enter' });
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
});

test('[NAV-21] [NAV-22] [NAV-23] the sidebar shows balance, canister count and version', async ({
  page,
  product,
  user,
}) => {
  const sidebar = page.getByRole('complementary');
  await expect(sidebar).toContainText('100.00 T');
  await expect(sidebar).toContainText('Canisters0');
  await sidebar.getByText('100.00 T').hover();
  await expect(page.getByRole('tooltip')).toHaveText('100000000000000');
  await createCanister(user.api, 'Counted');
  await page.goto(`${product.url}/ics/account`);
  await expect(sidebar).toContainText('98.00 T');
  await expect(sidebar).toContainText('Canisters1');
  const version = sidebar.getByText('version 1.0.0', { exact: true });
  const bottomOf = async (place: Locator) => {
    const box = await place.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  for (const width of ['wide', 'collapsed']) {
    await expect(version, width).toBeVisible();
    expect((await bottomOf(sidebar)) - (await bottomOf(version)), `at its foot, ${width}`).toBeLessThan(20);
    if (width === 'wide') await page.getByRole('button', { name: 'Close sidebar' }).click();
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Open sidebar' }).click();
  await expect(version, 'on a phone').toBeVisible();
});

for (const theme of ['secondary', 'success', 'dark', 'default']) {
  test(`[NAV-26] [NAV-27] theme ${theme} can be chosen and survives a reload`, async ({ page, user }) => {
    await page.getByRole('button', { name: new RegExp(user.name) }).click();
    await page.getByRole('menuitemradio', { name: theme, exact: false }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBe(theme);
    const release = await holdCalls(page, '**/api/user/profile*');
    await page.reload();
    await expect(page.getByText('Checking your session')).toBeAttached();
    await expect(page.locator('html'), 'from the first paint').toHaveAttribute('data-theme', theme);
    await release();
    await expect(page.getByText('Hi,')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  });
}
