import { createApi, type Product, signIn, startProduct } from '@cannery/dev-env';
import { expect, test } from '@playwright/test';
import { violationsOf } from '../support/accessibility.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';

// A separate product: the marketplace of the others is never empty for long.
let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product?.dispose());

test('[MKT-05] an empty marketplace offers the sample dapps, until it has them', async ({ page }) => {
  test.setTimeout(300_000);
  const token = await signIn(product.url, 'ada');
  await page.addInitScript((given) => localStorage.setItem('token', given), token);
  const market = new MarketplacePage(page, product.url);
  await market.open();
  await expect(page.getByRole('button', { name: 'Add your DApp to marketplace.' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Offer 6 sample dapps' })).toBeVisible();
  // Each sample waits here, so that what shows between two of them can be looked at.
  const held: (() => void)[] = [];
  await page.route('**/api/marketplace/samples', async (route) => {
    if (route.request().method() === 'POST') await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  const letOn = async (): Promise<void> => {
    await expect.poll(() => held.length, { timeout: 120_000 }).toBe(1);
    held.pop()?.();
  };
  await page.getByRole('button', { name: 'Offer 6 sample dapps' }).click();
  await expect(page.getByRole('button', { name: 'Compiling sample 1 of 6' })).toBeDisabled();
  await letOn();
  // One by one: what is there can be opened while the others come, each in the place that it will have.
  await expect(market.cards).toHaveCount(1, { timeout: 120_000 });
  const places = page.getByRole('list', { name: 'DApps' }).getByRole('listitem');
  await expect(page.getByRole('progressbar', { name: 'Compiling sample 2 of 6' })).toBeVisible();
  await expect(places).toHaveCount(6);
  await expect(places.filter({ hasText: 'Waiting' })).toHaveCount(4);
  await expect(places.last().getByRole('article')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  // Whoever looks elsewhere meanwhile finds them going on.
  const [first] = await market.cards.getByRole('heading').allTextContents();
  await market.view(String(first));
  await page.goBack();
  await expect(page.getByRole('progressbar', { name: 'Compiling sample 2 of 6' })).toBeVisible();

  // A second tab and a terminal offer them at the same time.
  const other = createApi(product.url, token);
  const samples = await other.call<{ name: string }[]>('GET', '/marketplace/samples');
  const seeder = createApi(product.url, await signIn(product.url, 'samples'));
  const meanwhile = Promise.all(
    [other, seeder].map(async (api) => {
      for (const { name } of samples) await api.call('POST', '/marketplace/samples', { sample: name });
    }),
  );
  for (let place = 1; place < samples.length; place += 1) await letOn();
  await meanwhile;
  await expect(market.cards).toHaveCount(6, { timeout: 240_000 });
  expect(await layoutShift(page)).toBeLessThanOrEqual(NOT_MOVED);
  await expect(page.getByRole('button', { name: /sample/ })).toHaveCount(0);
  const offered = await createApi(product.url, token).call<{ name: string }[]>('GET', '/marketplace/');
  await expect(market.cards.getByRole('heading')).toHaveText(offered.map(({ name }) => name));
});

test('the install form of the token ledger offers the principal by which its user can spend the token', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const token = await signIn(product.url, 'ada');
  await page.addInitScript((given) => localStorage.setItem('token', given), token);
  const api = createApi(product.url, token);
  const { data: dapp } = await api.call<{ data: string }>('POST', '/marketplace/samples', {
    sample: 'Token ledger',
  });
  const market = new MarketplacePage(page, product.url);
  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  await market.installButton.click();
  const form = market.installDialog.getByRole('group', { name: 'Install arguments' });
  await form.getByRole('checkbox', { name: 'Give a value for init' }).check();
  await form.getByLabel(/^name /).fill('Mine');
  await form.getByLabel(/^symbol /).fill('MINE');
  await form.getByLabel(/^decimals /).fill('8');
  await form.getByLabel(/^fee /).fill('10');
  await form.getByRole('button', { name: 'Add an item to initial_balances' }).click();
  await form.getByRole('button', { name: 'Use my principal for owner' }).click();
  const owner = form.getByLabel(/^owner /);
  await expect(owner).toHaveValue(/^[a-z0-9]{5}(-[a-z0-9]{1,5})+$/);
  const principal = await owner.inputValue();
  await form.getByLabel(/^1 nat/).fill('7_000');
  await market.instanceName.fill('My token');
  await market.confirmInstall.click();
  await expect(page).toHaveURL(/\/ics\/canister\/[^/]+$/);

  const candid = new CandidPage(page);
  await candid.open(product.url, page.url().split('/').at(-1));
  await candid.callWith(
    'icrc1_balance_of',
    `(record { owner = principal "${principal}"; subaccount = null })`,
  );
  await expect(candid.reply('icrc1_balance_of')).toContainText('7_000');
  // It is the one by which this browser calls, so the user can spend what it has.
  await page.getByRole('group', { name: 'Calls as' }).getByText('This browser', { exact: true }).click();
  const nothing = 'fee = null; memo = null; from_subaccount = null; created_at_time = null';
  const to = 'record { owner = principal "aaaaa-aa"; subaccount = null }';
  await candid.callWith('icrc1_transfer', `(record { to = ${to}; amount = 500; ${nothing} })`);
  await expect(candid.reply('icrc1_transfer')).toContainText('Ok');
});
