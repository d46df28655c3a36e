import { createCanister } from './canisters-of.ts';
import { CanistersPage } from './pages/canisters-page.ts';
import { expect, test } from './product.ts';

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
