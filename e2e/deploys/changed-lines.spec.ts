import { failCalls } from '../support/calls.ts';
import { createCanister } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';
import { addRegistry } from '../support/registries-of.ts';

for (const { list, address, calls, empty } of [
  {
    list: 'registries',
    address: '/ics/registries',
    calls: '**/api/registry/**',
    empty: "You haven't added any registry yet.",
  },
  {
    list: 'marketplace',
    address: '/ics/marketplace',
    calls: /\/api\/marketplace\/?(\?.*)?$/,
    empty: 'No DApp found.',
  },
  {
    list: 'transactions',
    address: '/ics/account',
    calls: '**/api/transactions/**',
    empty: 'No Transactions To Show',
  },
]) {
  test(`[OP-33] [ERR-10] [ERR-11] ${list} that could not be loaded say so in one quiet line, without a toast`, async ({
    page,
    product,
    signedIn: _signedIn,
  }) => {
    await failCalls(page, calls, 500);
    await page.goto(`${product.url}${address}`);
    await expect(page.getByText(empty)).toBeVisible();
    await expect(page.getByText('This list could not be loaded.', { exact: true })).toHaveCount(1);
    await expect(page.locator('[data-kind]')).toHaveCount(0);
    await page.unrouteAll();
    await page.getByRole('status').getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText('This list could not be loaded.')).toBeHidden();
  });
}

test('[OP-33] [ERR-10] the logs of a canister that could not be loaded say so', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Unlogged');
  await failCalls(page, '**/api/statuslogs/*', 500);
  await page.goto(`${product.url}/ics/canister/${id}`);
  await expect(page.getByText('No Logs Found')).toBeVisible();
  await expect(page.getByText('This list could not be loaded.', { exact: true })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('status').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No Logs Found')).toBeHidden();
  await expect(page.getByText('This list could not be loaded.')).toBeHidden();
});

test('[OP-17] lists that cannot be refreshed keep their rows and say of when they are, from the first failure on', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Still shown');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(page.getByText('Still shown')).toBeVisible();
  await expect(page.getByText('as of')).toHaveCount(0);
  await failCalls(page, '**/api/canister/list/*', 500);
  await failCalls(page, '**/api/deploy/*', 500);
  await expect(page.getByText(/^as of \d\d:\d\d$/).first()).toBeVisible();
  await expect(page.getByText('Still shown')).toBeVisible();
  await expect(page.locator('[data-kind]')).toHaveCount(0);
  await page.unrouteAll();
  await expect(page.getByText(/^as of \d\d:\d\d$/)).toHaveCount(0);
});

test('[REG-01] the identifier of a registry is shown in full where there is room', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await addRegistry(user.api, 'Whole', uniqueModule());
  const list = await user.api.call<{ id: string; wasm_identifier: string }[]>('GET', '/registry/');
  const identifier = list.find((entry) => entry.id === id)?.wasm_identifier ?? '';
  await page.goto(`${product.url}/ics/registries`);
  const row = page.getByRole('table', { name: 'Registries' });
  await expect(row.getByText(identifier, { exact: true })).toBeVisible();
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await sideways()).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 390, height: 844 });
  // There it is cut to what fits, and the whole is its title.
  await expect(row.getByTitle(identifier)).toBeVisible();
  const cut = row.getByTitle(identifier).locator(':scope > span').first();
  expect(await cut.evaluate((part) => part.scrollWidth > part.clientWidth)).toBe(true);
  expect(await sideways()).toBeLessThanOrEqual(0);
});

test('[NAV-26] each theme is shown by a name that begins with its key', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  await page.getByRole('button', { name: new RegExp(user.name) }).click();
  await expect(page.getByRole('menuitemradio')).toHaveText([
    'Default (light)',
    'Secondary (plum)',
    'Success (leaf)',
    'Dark',
    /^System/,
  ]);
});

test("[NAV-14] below the medium breakpoint 'Live Preview' is in the menu", async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  await page.getByRole('button', { name: new RegExp(user.name) }).click();
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Live Preview' })).toBeHidden();
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('banner').getByRole('link', { name: 'Live Preview' })).toBeHidden();
  await page.getByRole('button', { name: new RegExp(user.name) }).click();
  await page.getByRole('menuitem', { name: 'Live Preview' }).click();
  await expect(page).toHaveURL(`${product.url}/app`);
});

test('[OP-36] [MKT-02] stars are filled by real ratings of the service alone', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const description = 'A shop of preserves, jams and everything else that keeps over the winter.';
  const id = await submitDapp(user.api, { name: `Rated by ${user.name}`, description }, uniqueModule());
  const rated = { rating: undefined as number | undefined, ratings: undefined as number | undefined };
  await page.route(/\/api\/marketplace\/?(\?.*)?$/, async (route) => {
    const answer = await route.fetch();
    const dapps = (await answer.json()) as { id: string }[];
    await route.fulfill({
      response: answer,
      json: dapps.map((dapp) => (dapp.id === id ? { ...dapp, ...rated } : dapp)),
    });
  });
  const stars = () =>
    page
      .getByRole('article', { name: `Rated by ${user.name}` })
      .getByTestId('stars')
      .locator('[data-filled]')
      .evaluateAll((all) => all.map((star) => Number(star.getAttribute('data-filled'))));
  await page.goto(`${product.url}/ics/marketplace`);
  await expect.poll(stars).toEqual([0, 0, 0, 0, 0]);
  Object.assign(rated, { rating: 5, ratings: 0 });
  await page.reload();
  await expect.poll(stars).toEqual([0, 0, 0, 0, 0]);
  Object.assign(rated, { rating: 3.5, ratings: 8 });
  await page.reload();
  await expect.poll(stars).toEqual([1, 1, 1, 0.5, 0]);
  await expect(page.getByRole('img', { name: '3.5 of 5 stars, 8 ratings' })).toBeVisible();
  await page.goto(`${product.url}/ics/dapp/${id}`);
  await expect(page.getByText(description, { exact: true })).toBeVisible();
});
