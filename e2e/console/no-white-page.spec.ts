import { createCanister } from '../support/canisters-of.ts';
import { expect, test } from '../support/product.ts';

test('a page whose code cannot be loaded says so inside the shell, and comes when it is tried again', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await page.route(/\/assets\/marketplace-[^/]*\.js$/, (route) => route.abort());
  await page.goto(`${product.url}/ics/marketplace`);
  const failure = page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });
  await expect(failure).toBeVisible();
  await expect(page.getByRole('region', { name: 'Account Details' })).toBeVisible();
  await expect(failure.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  await page.unrouteAll();
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Marketplace' })).toBeVisible();
});

test('a page that fails while it is drawn says so inside the shell, and comes when it is tried again', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  // The list of registries counts its entries with it while it is drawn.
  await page.evaluate(() => {
    Number.prototype.toLocaleString = () => {
      throw new Error('This browser cannot write numbers.');
    };
  });
  await page.getByRole('link', { name: 'Registries' }).first().click();
  const failure = page.getByRole('alert');
  await expect(failure).toContainText('This page has failed');
  await expect(page.getByRole('button', { name: user.name }), 'the shell stays').toBeVisible();
  await expect(failure).toContainText('This browser cannot write numbers.');
  await expect(failure.getByRole('button', { name: 'Copy error details' })).toBeVisible();
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Registries' })).toBeVisible();
  await expect(failure).toBeHidden();
});

for (const [what, address] of [
  ['console', '/ics/dashboard'],
  ['Candid page', '/candid/'],
] as const) {
  test(`the ${what} whose program does not arrive says so`, async ({ page, product }) => {
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
    await page.goto(`${product.url}${address}`);
    await expect(page.getByRole('alert')).toContainText('This page could not be loaded.');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('alert')).toBeHidden();
    await expect(page.locator('#root').getByRole('heading').first()).toBeVisible();
  });
}

for (const refusal of ['missing', 'refused'] as const) {
  test(`what cannot be copied since the clipboard is ${refusal} is shown, selected, to be copied by hand`, async ({
    page,
    product,
    user,
    signedIn: _signedIn,
  }) => {
    const id = await createCanister(user.api, 'Copied');
    await page.addInitScript((kind) => {
      const clipboard = { writeText: () => Promise.reject(new Error('refused')) };
      Object.defineProperty(navigator, 'clipboard', {
        get: () => (kind === 'missing' ? undefined : clipboard),
      });
    }, refusal);
    await page.goto(`${product.url}/ics/canisters`);
    await page.getByRole('button', { name: 'Copy canister id' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Copy by hand' });
    const text = dialog.getByLabel('Text to copy');
    await expect(text).toBeFocused();
    await expect(text).toHaveValue(id);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(id);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/ics\/canisters$/);
  });
}
