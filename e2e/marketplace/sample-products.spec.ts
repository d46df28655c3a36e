import { startProduct } from '@cannery/dev-env';
import type { Page, Request } from '@playwright/test';
import { callsOf, failCalls } from '../support/calls.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { SampleProductsPage } from '../pages/sample-products-page.ts';
import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

/** Calls about products, as method and path, in the order in which they are sent. */
function productCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (/\/api\/products/.test(pathname)) calls.push(`${request.method()} ${pathname.replace('/api', '')}`);
  });
  return calls;
}

const byPrice = [
  '€0.99',
  '€1.19',
  '€1.29',
  '€1.75',
  '€2.10',
  '€2.40',
  '€2.85',
  '€2.95',
  '€3.10',
  '€3.49',
  '€5.80',
  '€7.90',
];

test('[DEMO-12] [DEMO-13] [DEMO-14] [API-36] the products are a table, the cheapest first', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const products = new SampleProductsPage(page, product.url);
  await products.open();
  await expect(products.table.rows).toHaveCount(5);
  await expect(products.table.table.getByRole('columnheader')).toHaveText([
    '',
    'Id',
    'Img',
    'Title',
    'Subtitle',
    'Price',
    'Rating',
  ]);
  await expect(products.table.table.getByRole('columnheader', { name: 'Price' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await products.table.showUpTo('25');
  await expect(products.table.cell('Price')).toHaveText(byPrice);
  const beans = products.table.row('White beans');
  await expect(products.table.cell('Subtitle', beans)).toHaveText('Ready to eat');
  await expect(products.table.cell('Rating', beans)).toHaveText('4.1');
  await expect(products.table.cell('Img', beans).locator('svg[data-picture="beans"]')).toBeVisible();
  await products.table.sortBy('Price');
  await expect(products.table.cell('Price')).toHaveText(byPrice.toReversed());
  await inspectOnPhone(page, 'sample products');
});

test('[DEMO-15] the search finds titles that hold the text, letter for letter', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const products = new SampleProductsPage(page, product.url);
  await products.open();
  for (const [text, found] of [
    ['Pea', ['Pea soup', 'Peach halves', 'Pears in red wine']],
    ['ea', ['White beans', 'Pea soup', 'Peach halves', 'Pears in red wine']],
    ['in red', ['Pears in red wine']],
  ] as const) {
    await products.search.fill(text);
    await expect(products.table.cell('Title'), text).toHaveText([...found]);
  }
  // Holds that text in its subtitle, and in its title with another case.
  for (const text of ['Ready to eat', 'pea']) {
    await products.search.fill(text);
    await expect(page.getByText(`No title contains '${text}'.`)).toBeVisible();
  }
  await inspectOnPhone(page, 'a search without a product');
});

test('[DEMO-16] [API-36] each selected product is deleted by a separate call, then the list is read again', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const products = new SampleProductsPage(page, product.url);
  const calls = productCalls(page);
  await products.open();
  await expect(products.table.rows).toHaveCount(5);
  const list = await user.api.call<{ id: string; title: string }[]>('GET', '/products');
  const idOf = (title: string) => list.find((one) => one.title === title)?.id;
  await products.select('White beans').press('Space');
  await products.select('Sweetcorn').check();
  await products.select('Mushrooms').check();
  await products.select('Mushrooms').uncheck();
  calls.length = 0;
  await page.getByRole('button', { name: 'Delete 2 selected' }).click();
  await expect(products.dialog).toContainText('White beans');
  await expect(products.dialog).not.toContainText('Mushrooms');
  expect(calls).toEqual([]);
  await products.dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('2 products deleted')).toBeVisible();
  await expect(page).toHaveURL(products.address);
  await expect(products.table.cell('Title').first()).toHaveText('Plum tomatoes');
  expect(calls.slice(0, 2).toSorted()).toEqual(
    [`DELETE /products/${idOf('White beans')}`, `DELETE /products/${idOf('Sweetcorn')}`].toSorted(),
  );
  expect(calls.slice(2)).toEqual(['GET /products']);
  const left = await user.api.call<{ title: string }[]>('GET', '/products');
  expect(left.map(({ title }) => title)).toEqual(
    list.map(({ title }) => title).filter((title) => title !== 'White beans' && title !== 'Sweetcorn'),
  );

  await test.step('a deletion from the page of a product ends on the management page', async () => {
    await products.table.row('Plum tomatoes').getByRole('link', { name: 'Plum tomatoes' }).click();
    await expect(page).toHaveURL(`${product.url}/app/ecommerce/product/${idOf('Plum tomatoes')}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await inspectOnPhone(page, 'delete a product');
    await products.dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(products.address);
    await expect(products.table.row('Plum tomatoes')).toHaveCount(0);
    await expect(page.getByText('9', { exact: true })).toBeVisible();
  });

  await test.step('what is selected and then hidden by the search stays', async () => {
    await page.getByRole('checkbox', { name: 'Select all 9 products' }).check();
    await products.search.fill('Pea');
    await expect(page.getByRole('button', { name: 'Delete 3 selected' })).toBeVisible();
  });

  await test.step('a refused deletion is told, and the list read again', async () => {
    await failCalls(page, '**/api/products/*', 400, { error: 'The shelf is nailed down.' });
    calls.length = 0;
    await page.getByRole('button', { name: 'Delete 3 selected' }).click();
    await products.dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('The shelf is nailed down.')).toBeVisible();
    expect(calls.filter((call) => call.startsWith('DELETE'))).toHaveLength(3);
    await expect.poll(() => calls.at(-1)).toBe('GET /products');
    await expect(products.table.rows).toHaveCount(3);
  });
});

test('[DEMO-12] [DEMO-17] products are created, shown and changed by their forms', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const products = new SampleProductsPage(page, product.url);
  const posts = callsOf(page, 'POST', '/products');
  await page.goto(`${product.url}/app/ecommerce/create`);
  await expect(page).toHaveURL(`${products.address}/create`);
  for (const label of ['Title', 'Subtitle', 'Price in euros', 'Rating']) {
    await expect(products.form.getByLabel(label, { exact: true }), label).toHaveValue('');
  }
  await page.getByRole('button', { name: 'Create product' }).click();
  await expect(products.form.getByText('Title is required.')).toBeVisible();
  await expect(products.form.getByText('The price is a number')).toBeVisible();
  expect(posts).toHaveLength(0);
  await inspectOnPhone(page, 'a product form with mistakes');
  await products.fill({ Title: 'Figs', Subtitle: 'In honey', 'Price in euros': '0.5', Rating: '4.5' });
  await products.form.getByRole('radio', { name: 'peaches' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(products.form.getByRole('radio', { name: 'tomatoes' })).toBeChecked();
  await products.form.getByLabel('Title', { exact: true }).press('Enter');
  await expect(page).toHaveURL(products.address);
  expect(posts.map((post) => post.postDataJSON() as unknown)).toEqual([
    { img: 'tomatoes', title: 'Figs', subtitle: 'In honey', price: 0.5, rating: 4.5 },
  ]);
  await expect(products.table.cell('Title').first()).toHaveText('Figs');

  const list = await user.api.call<{ id: string; title: string }[]>('GET', '/products');
  const id = list.find(({ title }) => title === 'Figs')?.id ?? '';
  await page.goto(`${product.url}/app/ecommerce/product/${id}`);
  const shown = page.getByRole('main');
  await expect(shown.getByRole('heading', { name: 'Figs' })).toBeVisible();
  for (const text of ['In honey', '€0.50', '4.5']) await expect(shown.getByText(text)).toBeVisible();
  await inspectOnPhone(page, 'a product');
  await page.getByRole('link', { name: 'Edit' }).click();
  await expect(page).toHaveURL(`${products.address}/edit/${id}`);
  await page.goto(`${product.url}/app/ecommerce/edit/${id}`);
  await expect(page).toHaveURL(`${products.address}/edit/${id}`);
  await expect(products.form.getByLabel('Title', { exact: true })).toHaveValue('Figs');
  await expect(products.form.getByLabel('Price in euros', { exact: true })).toHaveValue('0.5');
  await products.form.getByLabel('Title', { exact: true }).fill('Figs in port');
  await page.getByRole('button', { name: 'Save product' }).click();
  await expect(page).toHaveURL(products.address);
  await expect(products.table.cell('Title').first()).toHaveText('Figs in port');

  await page.goto(`${product.url}/app/ecommerce/product/no-such-product`);
  await expect(page.getByText('There is no such product.')).toBeVisible();
  await inspectOnPhone(page, 'no such product');
});

test('[DEMO-12] with the flag off there is no page, no call and no link', async ({ page }) => {
  const without = await startProduct({ env: { SAMPLE_PRODUCTS: 'off' } });
  try {
    const calls = productCalls(page);
    await page.goto(`${without.url}/login`);
    await page.getByText('Sign in with Google').click();
    await page.locator('input[name="login"]').fill('ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/ics\/dashboard/);
    for (const address of ['management', 'management/create', 'management/edit/x', 'create', 'product/x']) {
      await page.goto(`${without.url}/app/ecommerce/${address}`);
      await expect(page.getByText("the page you're looking for no longer exists"), address).toBeVisible();
      await expect(page.getByRole('navigation', { name: 'Main' }), address).toBeVisible();
    }
    for (const address of ['/app', '/ics/profile', '/ics/dashboard']) {
      await page.goto(without.url + address);
      await expect(page.getByRole('heading', { level: 1 }), address).toBeVisible();
      await untilQuiet(page);
      await expect(page.locator('a[href*="ecommerce"]'), address).toHaveCount(0);
    }
    expect(calls).toEqual([]);
  } finally {
    await without.dispose();
  }
});
