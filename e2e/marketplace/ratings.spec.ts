import { createApi, signIn } from '@cannery/dev-env';
import type { Page } from '@playwright/test';
import { violationsInThemes } from '../support/accessibility.ts';
import { failCalls } from '../support/calls.ts';
import { createCanister, installModule } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';
import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

type TestUser = Parameters<Parameters<typeof test>[2]>[0]['user'];

const DESCRIPTION = 'Counts peaches and puts them into cans, one after the other.';

/** A dapp of another user, and what makes an instance of it for the user of the test. */
async function dappOfAnother(url: string, user: TestUser, mark = 'maker') {
  const publisher = `${user.name}-${mark}`;
  const maker = createApi(url, await signIn(url, publisher));
  const wasm = uniqueModule();
  const name = `Peaches ${publisher}`;
  const id = await submitDapp(maker, { name, description: DESCRIPTION }, wasm);
  const install = async (api = user.api): Promise<string> => {
    const canister = await createCanister(api, 'Mine');
    await installModule(api, canister, wasm, { from: `dapp ${id}` });
    return canister;
  };
  return { id, name, publisher, install };
}

const filled = (page: Page) =>
  page
    .getByTestId('stars')
    .first()
    .locator('[data-filled]')
    .evaluateAll((all) => all.map((star) => Number(star.getAttribute('data-filled'))));

test('[OP-36] [MKT-02] who has an instance rates a dapp by the keyboard, changes the rating and withdraws it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { id, name, install } = await dappOfAnother(product.url, user);
  const market = new MarketplacePage(page, product.url);
  await page.goto(`${product.url}/ics/dapp/${id}`);
  await expect(market.fact('Your rating')).toHaveText('Install it to rate it.');
  await expect(market.fact('Rating').first()).toContainText('No ratings yet');
  expect(await filled(page)).toEqual([0, 0, 0, 0, 0]);

  // The open page learns of the instance by itself.
  const instance = await install();
  const group = page.getByRole('group', { name: 'Your rating' });
  await expect(group.getByRole('radio')).toHaveCount(5);
  await group.getByRole('radio', { name: '1 star', exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(group.getByRole('radio', { name: '3 stars' })).toBeChecked();
  await expect(group.getByRole('radio', { name: '3 stars' })).toBeFocused();
  await expect(page.getByRole('img', { name: '3 of 5 stars, 1 rating', exact: true })).toBeVisible();
  await untilQuiet(page);
  await expect(group.getByRole('radio', { name: '3 stars' })).toBeChecked();
  expect(await violationsInThemes(page)).toEqual([]);

  await group.getByRole('radio', { name: '5 stars' }).check();
  await expect(page.getByRole('img', { name: '5 of 5 stars, 1 rating', exact: true })).toBeVisible();
  await market.open(`?search=${user.name}`);
  const card = market.card(name);
  await expect(card.getByRole('img', { name: '5 of 5 stars, 1 rating', exact: true })).toHaveText('5.0 (1)');
  expect(await filled(page)).toEqual([1, 1, 1, 1, 1]);
  // What somebody else rates is no news for open pages; it shows with the next list.
  const other = createApi(product.url, await signIn(product.url, `${user.name}-other`));
  await install(other);
  await other.call('POST', `/marketplace/rating/${id}`, { stars: 4 });
  await page.reload();
  await expect(card.getByRole('img', { name: '4.5 of 5 stars, 2 ratings' })).toHaveText('4.5 (2)');
  await other.call('POST', `/marketplace/rating/${id}`, { stars: null });
  await market.view(name);

  // It outlives the instance, and can be taken back then.
  await user.api.call('POST', '/canister/stop', { canister_id: instance });
  await user.api.call('POST', '/canister/delete', { canister_id: instance });
  await expect(market.fact('Your rating')).toContainText('You have no instance any more.');
  await expect(group.getByRole('radio', { name: '5 stars' })).toBeDisabled();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(market.fact('Your rating')).toHaveText('Install it to rate it.');
  await expect(market.fact('Rating').first()).toContainText('No ratings yet');
});

test('[OP-36] a rating that does not arrive is not shown as one, and says why', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { id, install } = await dappOfAnother(product.url, user);
  await install();
  await user.api.call('POST', `/marketplace/rating/${id}`, { stars: 2 });
  await page.goto(`${product.url}/ics/dapp/${id}`);
  const group = page.getByRole('group', { name: 'Your rating' });
  await expect(group.getByRole('radio', { name: '2 stars' })).toBeChecked();
  await untilQuiet(page);
  expect(await layoutShift(page)).toBeLessThanOrEqual(NOT_MOVED);
  await page.route(`**/api/marketplace/rating/${id}`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 500, json: { error: 'The scales are broken.' } })
      : route.continue(),
  );
  await group.getByRole('radio', { name: '4 stars' }).click();
  await expect(page.getByRole('alert')).toHaveText('The scales are broken.');
  await expect(group.getByRole('radio', { name: '2 stars' })).toBeChecked();
  await expect(page.getByRole('img', { name: '2 of 5 stars, 1 rating', exact: true })).toBeVisible();
});

test('[OP-36] publishers read that others rate their dapp; a service without ratings shows nothing of them', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await submitDapp(user.api, { name: `Own ${user.name}` }, uniqueModule());
  const market = new MarketplacePage(page, product.url);
  await page.goto(`${product.url}/ics/dapp/${id}`);
  await expect(market.fact('Your rating')).toHaveText('Your dapp is rated by those who install it.');
  await failCalls(page, '**/api/marketplace/rating/**', 404, { error: 'Nothing is here.' });
  await page.reload();
  await expect(market.fact('Version')).toContainText('v1.0.0');
  await untilQuiet(page);
  await expect(page.getByText('Your rating', { exact: true })).toHaveCount(0);
});

test('[MKT-02] [MKT-03] a card names the publisher, keeps the description to 30 characters and has all of it as its title', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { name, publisher } = await dappOfAnother(product.url, user);
  const market = new MarketplacePage(page, product.url);
  await market.open(`?search=${user.name}`);
  const card = market.card(name);
  const text = card.getByText('Counts peaches and puts them i...', { exact: true });
  await expect(text).toHaveAttribute('title', DESCRIPTION);
  await card.getByRole('link', { name: `@${publisher}`, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`by=${publisher}$`));
  await expect(market.cards).toHaveCount(1);
  await expect(page.getByText(`DApps of @${publisher}`)).toBeVisible();
});

test('the best rated come first where that order is chosen', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const dapps = await Promise.all(
    [1, 5, undefined, 3].map(async (stars, place) => {
      const one = await dappOfAnother(product.url, user, `maker-${place}`);
      if (stars === undefined) return one.name;
      await one.install();
      await user.api.call('POST', `/marketplace/rating/${one.id}`, { stars });
      return one.name;
    }),
  );
  const market = new MarketplacePage(page, product.url);
  await market.open(`?search=${user.name}`);
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Best rated');
  const [bad, good, none, fair] = dapps;
  await expect(market.cards.getByRole('heading')).toHaveText([good, fair, bad, none].map(String));
  await expect(page).toHaveURL(/sort=rating/);
});
