import { inspectOnPhone } from '../support/inspect.ts';
import { expect, test } from '../support/product.ts';
import { refusalIsOver } from '../support/refused-form.ts';

test('[ENT-15] [STATE-11] the sample users are filtered, added, changed and deleted, and no call is made for them', async ({
  page,
  product,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.url());
  });
  await page.goto(`${product.url}/app/users`);
  const table = page.getByRole('table', { name: 'Users' });
  const rows = table.locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(5);
  await expect(page.getByText('7', { exact: true })).toBeVisible();
  await inspectOnPhone(page, 'sample users');
  const filter = page.getByRole('searchbox', { name: 'Filter by name or email' });
  await filter.fill('HERRERA');
  await expect(rows).toHaveCount(1);
  await rows.getByRole('button', { name: 'Delete Tomás Herrera' }).click();
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this user?' });
  await expect(dialog).toContainText('Tomás Herrera');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await rows.getByRole('button', { name: 'Delete Tomás Herrera' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No user matches.')).toBeVisible();
  await filter.fill('');
  await expect(page.getByText('6', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'New user' }).click();
  const form = page.getByRole('form', { name: 'User' });
  await page.getByRole('button', { name: 'Save user' }).click();
  await expect(form.getByText('Required')).toHaveCount(2);
  await refusalIsOver(page);
  await form.getByLabel('Name').fill('Zoë Adler');
  await form.getByLabel('Email').fill('zoe@example.org');
  await form.getByLabel('Email').press('Enter');
  await expect(page).toHaveURL(`${product.url}/app/users`);
  await filter.fill('zoe');
  await rows.getByRole('link', { name: 'Edit Zoë Adler' }).click();
  await expect(form.getByLabel('Name')).toHaveValue('Zoë Adler');
  await inspectOnPhone(page, 'form of a sample user');
  await form.getByLabel('Name').fill('Zoë Adler-Novak');
  await page.getByRole('button', { name: 'Save user' }).click();
  await filter.fill('zoe');
  await expect(table).toContainText('Zoë Adler-Novak');

  await page.goto(`${product.url}/app/users/edit/none`);
  await expect(page.getByText('There is no such user.')).toBeVisible();
  expect(calls).toEqual([]);
});
