import type { Walk } from './every-screen.ts';
import { expect } from '../support/product.ts';

async function open({ page, product, look }: Walk, address: string, shown: string): Promise<void> {
  await page.goto(product.url + address);
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
  await look(address);
}

/** The template shell as a visitor sees it. */
export async function openDemoScreens(walk: Walk): Promise<void> {
  const { page, look } = walk;
  await open(walk, '/app', 'Moon over the cellar');
  await page.getByRole('button', { name: 'Export report' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('under development');
  await open(walk, '/app/users', 'Vera Lindqvist');
  await page.getByRole('button', { name: 'Delete Vera Lindqvist' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('delete a sample user');
  await open(walk, '/app/users/edit/1', 'Save user');
}

/** The template shell of a signed-in user. */
export async function demoScreens(walk: Walk): Promise<void> {
  const { page, product, user, look } = walk;
  await open(walk, '/ics/profile', 'Mira Kovač');
  await open(walk, '/ics/profile_temp', 'Strawberries arrive');
  await open(walk, '/app', 'Moon over the cellar');
  await open(walk, '/app/ecommerce/management', 'White beans');
  await page.getByRole('checkbox', { name: 'Select White beans' }).check();
  await page.getByRole('button', { name: 'Delete 1 selected' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look('delete sample products');
  const [first] = await user.api.call<{ id: string }[]>('GET', '/products');
  await open(walk, `/app/ecommerce/product/${first?.id}`, 'All products');
  await open(walk, `/app/ecommerce/management/edit/${first?.id}`, 'Save product');
  await page.getByLabel('Title', { exact: true }).fill('');
  await page.getByRole('button', { name: 'Save product' }).click();
  await expect(page.getByText('Title is required.')).toBeVisible();
  await look('a product form with a mistake');
  await page.goto(`${product.url}/app/ecommerce/product/none`);
  await expect(page.getByText('There is no such product.')).toBeVisible();
  await look('no such product');
}
