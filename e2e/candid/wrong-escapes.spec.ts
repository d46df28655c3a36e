import { expect, test } from '../support/product.ts';

test('[NAV-13] an address with a wrong escape shows the 404 page, on every kind of page', async ({
  page,
  product,
}) => {
  const broken: string[] = [];
  page.on('pageerror', ({ message }) => broken.push(message));
  for (const path of [
    '/%',
    '/%ff',
    '/ics/%',
    '/ada/%',
    '/ada/site/tree/%E0%A4%A',
    '/candid/%',
    '/documentation/%/%',
  ]) {
    await page.goto(product.url + path);
    await expect(page.getByText("the page you're looking for no longer exists"), path).toBeVisible();
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page, path).toHaveURL(`${product.url}/login`);
  }
  expect(broken).toEqual([]);
});
