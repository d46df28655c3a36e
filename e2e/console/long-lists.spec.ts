import { createCanister } from '../support/canisters-of.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';

/** One more than the cards of a page. */
const MANY = 25;

test('[CAN-12] many cards come in pages, and their edge colours go on from one page to the next', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await Promise.all(Array.from({ length: MANY }, (_, place) => createCanister(user.api, `Can ${place}`)));
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  await expect(canisters.cards).toHaveCount(MANY - 1);
  await page.getByRole('button', { name: 'Next page' }).first().click();
  await expect(canisters.cards).toHaveCount(1);
  await expect(canisters.cards, 'the 25th card, after four rounds of six colours').toHaveAttribute(
    'data-edge',
    '1',
  );
  await page.getByRole('combobox', { name: 'Cards per page' }).selectOption('48');
  await expect(canisters.cards).toHaveCount(MANY);
  const colours = await canisters.cards.evaluateAll((cards) =>
    cards.map((card) => card.getAttribute('data-edge')),
  );
  expect(colours).toEqual(colours.map((_, place) => String((place % 6) + 1)));
  await page.getByRole('searchbox', { name: 'Search canisters' }).fill('can 24');
  await expect(canisters.cards).toHaveCount(1);
});

test('search, sorting, page and presentation come back with a reload and with Back; names are links', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const names = Array.from({ length: 12 }, (_, place) => `Can ${String(place).padStart(2, '0')}`);
  await Promise.all([...names, 'Other'].map((name) => createCanister(user.api, name)));
  const canisters = new CanistersPage(page, product.url);
  const search = page.getByRole('searchbox', { name: 'Search canisters' });
  const next = page.getByRole('button', { name: 'Next page' }).first();
  const expectSecondPage = async (): Promise<void> => {
    await expect(search).toHaveValue('can');
    const shown = names.toReversed().slice(5, 10);
    await expect(canisters.table.cell('Canister Name')).toHaveText(shown);
  };
  await page.goto(`${product.url}/ics/dashboard`);
  await canisters.open();
  await search.fill('can');
  await canisters.table.sortBy('Canister Name');
  await canisters.table.sortBy('Canister Name');
  await next.click();
  await expectSecondPage();
  await expect(page).toHaveURL(/q=can/);
  await expect(page).toHaveURL(/canisters\.page=2/);
  await page.reload();
  await expectSecondPage();
  // However often it was changed, the list is one step of the way.
  await page.goBack();
  await expect(page).toHaveURL(/\/ics\/dashboard$/);
  await page.goForward();
  await expectSecondPage();

  const link = canisters.table.rows.first().getByRole('link', { name: 'Can 06' });
  await link.click();
  await page.waitForURL('**/ics/canister/*');
  await page.goBack();
  await expectSecondPage();
  // A link with an address is what a browser opens in another tab.
  await expect(link).toHaveAttribute('href', /^\/ics\/canister\/[\w-]+$/);

  await canisters.showCards();
  await expect(page).toHaveURL(/view=cards/);
  await page.reload();
  await expect(canisters.cards).toHaveCount(12);
  await page.getByRole('navigation').getByRole('link', { name: 'Canisters' }).click();
  await expect(search).toHaveValue('');
  await expect(canisters.table.rows).toHaveCount(5);
  await page.goto(`${product.url}/ics/canisters?canisters.page=99&canisters.sort=nonsense&canisters.size=7`);
  await expect(canisters.table.rows).toHaveCount(3);
});
