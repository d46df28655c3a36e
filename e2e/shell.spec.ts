import { expect, test } from './product.ts';

test.beforeEach(async ({ page, product, signedIn: _signedIn }) => {
  await page.goto(`${product.url}/ics/dashboard`);
});

test('[NAV-01] / leads to the dashboard', async ({ page, product }) => {
  await page.goto(product.url);
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
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

test('[NAV-16] [NAV-17] the top bar greets the user and its menu leads to the account', async ({
  page,
  product,
  user,
}) => {
  await expect(page.getByText('Hi,')).toBeVisible();
  await page.getByRole('button', { name: new RegExp(user.name) }).click();
  await expect(page.getByRole('menuitem', { name: 'Support' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click();
  await expect(page, '[ACC-01]').toHaveURL(`${product.url}/ics/account`);
});

test('[NAV-24] the sidebar is 240 px wide open and 85 px collapsed', async ({ page }) => {
  const sidebar = page.getByRole('complementary');
  const toggle = page.getByRole('button', { name: /sidebar/i });
  const width = async () => Math.round((await sidebar.boundingBox())?.width ?? 0);
  await expect.poll(width).toBe(240);
  await toggle.click();
  await expect.poll(width).toBe(85);
  await toggle.click();
  await expect.poll(width).toBe(240);
});

test('[NAV-25] below the medium breakpoint the sidebar is a drawer', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('link', { name: 'Canisters' })).toBeHidden();
  await page
    .getByRole('button', { name: /sidebar|menu/i })
    .first()
    .click();
  await expect(page.getByRole('link', { name: 'Canisters' })).toBeVisible();
  await page.getByRole('link', { name: 'Canisters' }).click();
  await expect(page).toHaveURL(/\/ics\/canisters$/);
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
});

test("[NAV-19] the 'Coming Soon' item does nothing", async ({ page, product }) => {
  const item = page.getByRole('complementary').locator('[aria-disabled="true"]', { hasText: 'Coming Soon' });
  await expect(item).toBeVisible();
  await item.click({ force: true });
  await expect(page).toHaveURL(`${product.url}/ics/dashboard`);
});

test('[NAV-21] [NAV-23] the sidebar shows balance, canister count and version', async ({ page }) => {
  const sidebar = page.getByRole('complementary');
  await expect(sidebar).toContainText('100.00 T');
  await expect(sidebar).toContainText('version 1.0.0');
});

for (const theme of ['secondary', 'success', 'dark', 'default']) {
  test(`[NAV-26] [NAV-27] theme ${theme} can be chosen and survives a reload`, async ({ page, user }) => {
    await page.getByRole('button', { name: new RegExp(user.name) }).click();
    await page.getByRole('menuitemradio', { name: theme, exact: false }).click();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(theme);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  });
}
