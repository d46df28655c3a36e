import { expect } from '@playwright/test';
import type { ExactService } from './exact-service.ts';
import { test, toast, wasm } from './exact-test.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';

const icon = {
  name: 'icon.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** The bodies that a call was made with. */
function sent(service: ExactService, call: string): unknown[] {
  return service.seen.filter((seen) => seen.call === call).map(({ body }) => body);
}

test('[ENT-12] [ENT-16] [API-23] [API-24] [API-25] [API-26] [API-38] [API-39] the marketplace, from a submission to an installation, with answers of the specification only', async ({
  page,
  service,
}) => {
  const market = new MarketplacePage(page, service.url);
  await market.open();
  await page.getByRole('button', { name: 'Add your DApp to marketplace.' }).click();
  await expect(page.getByRole('button', { name: /sample/ })).toHaveCount(0);
  const texts = { name: 'Shop', gitUrl: 'https://example.org/ada/shop', description: 'Sells flour.' };
  await market.fill({ ...texts, wasm, icon });
  await market.save.click();
  await expect(market.dialog).toBeHidden();
  await expect(market.card('Shop')).toContainText('v1.0.0');
  const said = { name: 'Shop', git_url: texts.gitUrl, description: texts.description, version: '1.0.0' };
  expect(sent(service, 'POST /marketplace/submit')).toEqual([{ ...said, icon: 'icon-1', wasm: 'wasm-1' }]);

  // A service that has one order, which no query changes.
  service.marketplace.add({ name: 'Mill', user: { username: 'grace' } });
  await market.open('?sort=name&search=shop');
  await expect(market.cards).toHaveCount(1);
  await market.open('?by=grace');
  await expect(market.cards.getByRole('heading')).toHaveText(['Mill']);
  await market.open();
  await expect(market.cards.getByRole('heading')).toHaveText(['Mill', 'Shop']);
  await expect(page.getByRole('button', { name: 'Actions for Mill' })).toHaveCount(0);

  await market.act('Shop', 'Update');
  await market.fill({ name: 'Bakery', version: '1.1.0' });
  await market.save.click();
  await expect(market.card('Bakery')).toContainText('v1.1.0');
  const change = { name: 'Bakery', description: texts.description, version: '1.1.0' };
  expect(sent(service, 'POST /marketplace/update/dapp-1')).toEqual([change]);

  await market.view('Bakery');
  await expect(market.fact('Uploaded by:')).toContainText('@ada');
  await expect(market.fact('Uploaded on')).toHaveText('Mar 05, 2024');
  await expect(page.getByText('cannot be shown')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Versions' })).toHaveCount(0);
  await market.installButton.click();
  await market.instanceName.fill('Corner');
  await market.installDialog.getByLabel('Extra cycles in T').fill('0.5');
  service.instead.set('POST /canister/topup', { body: { error: 'The balance is too small.' } });
  await market.confirmInstall.click();
  await expect(market.installDialog).toContainText('The balance is too small.');
  expect(sent(service, 'POST /canister/install')).toEqual([]);
  service.instead.clear();
  service.instead.set('POST /canister/install', { body: { data: false } });
  await market.confirmInstall.click();
  await expect(market.installDialog).toContainText('The service sent an answer that this page cannot read.');
  await expect(toast(page, 'Something went wrong')).toBeVisible();
  service.instead.clear();
  await market.confirmInstall.click();
  await page.waitForURL('**/ics/canister/canister-*');
  await expect(toast(page, 'Installed')).toBeVisible();
  const { id } = service.canisters[0] ?? {};
  expect(service.canisters).toHaveLength(1);
  const install = { canister_id: id, identifier: 'wasm-1', mode: 'install' };
  expect(sent(service, 'POST /canister/create')).toEqual([{ name: 'Corner' }]);
  const extra = { canister_id: id, amount: 0.5 };
  expect(sent(service, 'POST /canister/topup')).toEqual([extra, extra]);
  expect(sent(service, 'POST /canister/install')).toEqual([install, install]);
  await expect(new CanisterPage(page).moduleHash).toContainText('0xaa11');
});

for (const withheld of ['absent', 'null'] as const) {
  test(`[ENT-16] the marketplace lives with each optional value ${withheld}`, async ({ page, service }) => {
    service.marketplace.add({ name: 'Shop', icon: 'icon-1' });
    service.withheld = withheld;
    const market = new MarketplacePage(page, service.url);
    await market.open();
    await expect(market.card('N/A')).toContainText('vN/A');
    await market.view('N/A');
    for (const label of ['Uploaded by:', 'Uploaded on', 'Github URL']) {
      await expect(market.fact(label), label).toHaveText('N/A');
    }
    await market.installButton.click();
    await market.instanceName.fill('Corner');
    await market.confirmInstall.click();
    await expect(toast(page, 'Something went wrong')).toBeVisible();
    expect(service.canisters).toEqual([]);
  });
}

test('[ERR-11] [MKT-21] a marketplace that is refused, or answers in no form at all, says nothing and stays usable', async ({
  page,
  service,
}) => {
  const market = new MarketplacePage(page, service.url);
  for (const answer of [{ status: 500, body: {} }, { body: 'soon' }, { body: null }]) {
    service.instead.set('GET /marketplace', answer);
    service.instead.set('GET /marketplace/dapp-1', answer);
    await market.open();
    await expect(page.getByText('No DApp found.')).toBeVisible();
    await page.goto(`${service.url}/ics/dapp/dapp-1`);
    await expect(page.getByRole('link', { name: 'Back to marketplace' })).toBeVisible();
    await expect(page.getByRole('img', { name: 'Loading the dapp' })).toHaveCount(0);
    await expect(page.getByRole('status').filter({ hasText: /wrong/ })).toHaveCount(0);
  }
  for (const body of [
    { data: [{ id: 'd', name: 'Wrapped' }, 'noise', null] },
    [{ id: 'd', app_name: 'Wrapped' }],
  ]) {
    service.instead.set('GET /marketplace', { body });
    await market.open();
    await expect(market.cards.getByRole('heading')).toHaveText(['Wrapped']);
  }
});

test('[OP-36] [MKT-02] stars are filled where a service gives a rating, and are outlines where it gives none', async ({
  page,
  service,
}) => {
  service.marketplace.add({ name: 'Unrated' });
  service.marketplace.add({ name: 'Rated', rating: '3.5', ratings: 8 });
  const market = new MarketplacePage(page, service.url);
  await market.open();
  const stars = (name: string) =>
    market
      .card(name)
      .getByTestId('stars')
      .locator('[data-filled]')
      .evaluateAll((all) => all.map((star) => Number(star.getAttribute('data-filled'))));
  await expect(market.cards).toHaveCount(2);
  expect(await stars('Unrated')).toEqual([0, 0, 0, 0, 0]);
  expect(await stars('Rated')).toEqual([1, 1, 1, 0.5, 0]);
  await expect(market.card('Rated').getByRole('img', { name: '3.5 of 5 stars, 8 ratings' })).toHaveText(
    '3.5 (8)',
  );
  await market.view('Rated');
  await expect(market.fact('Rating')).toHaveText('3.5 (8)');
  await expect(page.getByText('Your rating')).toHaveCount(0);
  await market.open();
  await market.view('Unrated');
  await expect(market.fact('Version')).toHaveText('v1.0.0');
  await expect(page.getByText('Rating', { exact: true })).toHaveCount(0);
});
