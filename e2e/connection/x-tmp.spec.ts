import { createCanister } from '../support/canisters-of.ts';
import { expect, test } from '../support/product.ts';
test('pictures', async ({ page, product, user, signedIn: _s }) => {
  await createCanister(user.api, 'Bakery');
  await createCanister(user.api, 'Orchard');
  const shoot = async (name: string) => {
    for (const theme of ['default', 'dark']) {
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
        await page.evaluate((t) => { document.documentElement.dataset.theme = t; }, theme);
        await page.waitForTimeout(300);
        await page.screenshot({ path: `/work/out/conn/${name}-${theme}-${width}.png` });
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.evaluate(() => { document.documentElement.dataset.theme = 'default'; });
  };
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByText('Bakery').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  await page.route('**/api/canister/list/*', (route) => route.fulfill({ status: 500, json: {} }));
  await expect(page.getByText(/^as of/).first()).toBeVisible();
  await shoot('as-of');
  await page.unrouteAll();
  await page.context().setOffline(true);
  await expect(page.getByText(/^No connection\. /)).toBeVisible();
  await shoot('bar');
  await page.getByRole('button', { name: 'Create New Canister' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Greenhouse');
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('No connection: the service did not answer.')).toBeVisible();
  await shoot('dialog');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Marketplace' }).first().click();
  await expect(page.getByText('This page could not be loaded')).toBeVisible();
  await shoot('route');
});
