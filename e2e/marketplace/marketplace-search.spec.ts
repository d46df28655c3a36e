import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { MarketplacePage } from '../pages/marketplace-page.ts';
import { expect, test } from '../support/product.ts';

test('dapps are searched, ordered and narrowed to a kind and an uploader, and the address keeps all of it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const dapps = { Pears: 'tool', Apples: 'token', Plums: 'tool' };
  for (const [name, kind] of Object.entries(dapps)) {
    await submitDapp(user.api, { name, kind }, uniqueModule());
  }
  const market = new MarketplacePage(page, product.url);
  const names = market.cards.getByRole('heading');
  await market.open(`?by=${user.name}`);
  await expect(page.getByText(`DApps of @${user.name}`)).toBeVisible();
  await expect(names).toHaveText(['Plums', 'Apples', 'Pears']);
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Name');
  await expect(names).toHaveText(['Apples', 'Pears', 'Plums']);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('Tool');
  await expect(names).toHaveText(['Pears', 'Plums']);
  const search = page.getByRole('searchbox', { name: 'Search dapps' });
  await search.fill('PL');
  await expect(names).toHaveText(['Plums']);

  await expect(page).toHaveURL(/search=PL/);
  await page.reload();
  await expect(names).toHaveText(['Plums']);
  await expect(search).toHaveValue('PL');
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('name');
  await expect(page.getByRole('combobox', { name: 'Kind' })).toHaveValue('tool');

  await search.fill('barley');
  await expect(page.getByText('No dapp matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all dapps' }).click();
  await expect(names.first()).toHaveText('Plums');
  await expect(page).toHaveURL(/\/ics\/marketplace$/);
  await market.view('Apples');
  await page.getByRole('link', { name: 'All dapps' }).click();
  await expect(page).toHaveURL(new RegExp(`by=${user.name}$`));
  await expect(names).toHaveText(['Plums', 'Apples', 'Pears']);
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await expect(page).toHaveURL(/\/ics\/marketplace$/);
});

test('many dapps come in pages', async ({ page, product, user, signedIn: _signedIn }) => {
  // A bare number could be part of the name of the user, which a search looks at as well.
  for (let place = 1; place <= 25; place += 1) {
    await submitDapp(user.api, { name: `Can n${place}` }, uniqueModule());
  }
  const market = new MarketplacePage(page, product.url);
  const names = market.cards.getByRole('heading');
  const steps = page.getByRole('navigation', { name: 'Pages' });
  await market.open(`?by=${user.name}`);
  await expect(names).toHaveCount(24);
  await expect(names.first()).toHaveText('Can n25');
  await expect(steps.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await steps.getByRole('button', { name: 'Next' }).click();
  await expect(names).toHaveText(['Can n1']);
  await expect(steps).toContainText('Page 2');
  await expect(steps.getByRole('button', { name: 'Next' })).toBeDisabled();
  await expect(page).toHaveURL(/page=2/);
  await page.reload();
  await expect(names).toHaveText(['Can n1']);
  await steps.getByRole('button', { name: 'Previous' }).click();
  await expect(names).toHaveCount(24);

  await steps.getByRole('button', { name: 'Next' }).click();
  await expect(names).toHaveText(['Can n1']);
  // Another search begins at its first page.
  await page.getByRole('searchbox', { name: 'Search dapps' }).fill('can n2');
  await expect(names).toHaveText([
    'Can n25',
    'Can n24',
    'Can n23',
    'Can n22',
    'Can n21',
    'Can n20',
    'Can n2',
  ]);
  await expect(steps).toHaveCount(0);
});
