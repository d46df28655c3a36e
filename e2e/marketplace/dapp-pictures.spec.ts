import { createApi, signIn } from '@cannery/dev-env';
import type { Locator, Page } from '@playwright/test';
import { MarketplacePage } from '../pages/marketplace-page.ts';
import { createCanister } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

test.use({ settings: { SITE_PICTURES: 'on' } });

const TAKEN_MS = 60_000;

const drawn = (image: Locator) =>
  expect.poll(() => image.evaluate((it) => (it as HTMLImageElement).naturalWidth)).toBe(640);

/** Nothing moves by itself while a page loads, and it is one for everybody. */
async function still(page: Page, name: string): Promise<void> {
  await page.reload();
  await untilQuiet(page);
  expect.soft(await layoutShift(page), name).toBeLessThanOrEqual(NOT_MOVED);
  await inspectOnPhone(page, name);
}

test('[MKT-02] [MKT-03] the owner of a web dapp has a picture of it taken, and its publisher shows it in the marketplace', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const { api } = user;
  const { data: dapp } = await api.call<{ data: string }>('POST', '/marketplace/samples', {
    sample: 'Guest book',
  });
  const plain = createApi(product.url, await signIn(product.url, `${user.name}-other`));
  await submitDapp(plain, { name: 'Plain dapp' }, uniqueModule());
  const { wasm } = await api.call<{ wasm: string }>('GET', `/marketplace/${dapp}`);
  const id = await createCanister(api, 'My guest book');
  const installed = { canister_id: id, identifier: wasm, mode: 'install' };
  await api.request('POST', '/canister/install', installed, { 'code-origin': `dapp ${dapp}` });

  // The installation has ordered one; it comes without a reload, to a place that was kept for it.
  await page.goto(`${product.url}/ics/canister/${id}`);
  const site = page
    .getByRole('region', { name: 'Website' })
    .or(page.locator('[aria-label="Website"]'))
    .first();
  const picture = site.locator('img');
  const button = site.getByRole('button', { name: 'Take a picture' });
  await expect(button).toBeVisible();
  const place = await site.boundingBox();
  await expect(picture).toBeVisible({ timeout: TAKEN_MS });
  await drawn(picture);
  await expect(site.getByRole('status')).toHaveText(/^Picture taken /);
  expect(await site.boundingBox()).toEqual(place);
  const before = await picture.getAttribute('src');
  await button.click();
  await expect(site.getByRole('status')).toHaveText('Taking a picture ...');
  await expect(site.getByRole('status')).toHaveText(/^Picture taken /, { timeout: TAKEN_MS });
  await expect(button).toBeEnabled();
  expect(before).toContain(`/api/canister-pictures/${id}/`);
  await still(page, 'a canister with a picture');

  // Cards without a picture beside others without one are as they were.
  const market = new MarketplacePage(page, product.url);
  await market.open();
  await expect(market.card('Guest book')).toBeVisible();
  await expect(market.cards.locator('img[loading=lazy]')).toHaveCount(0);
  const low = (await market.card('Plain dapp').boundingBox())?.height ?? 0;

  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  const thumb = page.locator('[aria-label="Your instances"] img');
  await expect(thumb).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Guest book' }).click();
  await page.getByRole('menuitem', { name: 'Update' }).click();
  await market.dialog.getByLabel('Picture (optional)').selectOption({ label: 'My guest book' });
  await drawn(market.dialog.getByAltText('The chosen picture'));
  await market.save.click();
  await expect(market.dialog).toBeHidden();
  const shown = page.getByRole('figure').getByAltText('What Guest book looks like');
  await drawn(shown);
  await still(page, 'a dapp with a picture');

  await market.open();
  const card = market.card('Guest book').getByAltText('What Guest book looks like');
  await drawn(card);
  // Cards beside it are alike.
  const high = (await market.card('Plain dapp').boundingBox())?.height ?? 0;
  expect(high).toBeGreaterThan(low + 100);
  expect((await market.card('Guest book').boundingBox())?.height).toBe(high);
  await still(page, 'the marketplace with a picture');

  // Without another word it stays; a word takes it away.
  await market.card('Guest book').getByRole('button', { name: 'Actions for Guest book' }).click();
  await page.getByRole('menuitem', { name: 'Update' }).click();
  await market.dialog.getByLabel('Picture (optional)').selectOption({ label: 'No picture' });
  await market.save.click();
  await expect(market.dialog).toBeHidden();
  await expect(market.cards.locator('img[loading=lazy]')).toHaveCount(0);
});
