import type { ApiToken } from '@cannery/contract';
import { createApi } from '@cannery/dev-env';
import { failCalls } from '../support/calls.ts';
import { createDeploy } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

test('an API token is created for one deploy, shown once, copied, used and deleted', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Bread</h1>' });
  const source = { repo_name: 'bakery', deploy_type: 'STATIC_SITE' } as const;
  const bakery = await createDeploy(user, { name: 'Bakery', ...source });
  await createDeploy(user, { name: 'Dairy', ...source });

  await page.goto(`${product.url}/ics/account`);
  const card = page.getByRole('region', { name: 'API tokens' });
  await expect(card).toContainText('No API tokens yet.');
  await card.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create token' });
  await expect(create).toBeDisabled();
  await dialog.getByLabel('Token name').fill('  <b>CI</b>  ');
  for (const [field, option] of [
    ['It may', 'Read deploys and their logs'],
    ['Deploys', 'Bakery'],
    ['Expires', 'After 30 days'],
  ] as const) {
    await dialog.getByRole('combobox', { name: field }).selectOption(option);
  }
  await create.click();
  await expect(dialog).toBeHidden();
  await expect(card).toContainText("Copy the token '<b>CI</b>' now; it is shown only once.");
  await card.getByRole('button', { name: 'Copy token' }).click();
  const secret = await page.evaluate(() => navigator.clipboard.readText());
  const row = card.getByRole('listitem');
  await expect(row).toContainText(/Read deploys and their logs \(Bakery\), expires .*, never used/);

  const ci = createApi(product.url, secret);
  const seen = await ci.call<{ id: string }[]>('GET', '/deploy');
  expect(seen.map(({ id }) => id)).toEqual([bakery]);
  expect((await ci.request('POST', `/deploy/${bakery}/trigger`)).status).toBe(403);

  await page.reload();
  await expect(row).toContainText('used');
  await expect(page.locator('body')).not.toContainText(secret);
  await row.getByRole('button', { name: 'Delete token: <b>CI</b>' }).click();
  await dialog.getByRole('button', { name: 'Keep token' }).click();
  expect((await ci.request('GET', '/deploy')).status).toBe(200);
  await row.getByRole('button', { name: 'Delete token: <b>CI</b>' }).click();
  await expect(dialog).toContainText("Delete the token '<b>CI</b>'?");
  await dialog.getByRole('button', { name: 'Delete token' }).click();
  await expect(card).toContainText('No API tokens yet.');
  expect((await ci.request('GET', '/deploy')).status).toBe(401);
});

test('the secret of a token goes with the token', async ({ page, product, signedIn: _signedIn }) => {
  await page.goto(`${product.url}/ics/account`);
  const card = page.getByRole('region', { name: 'API tokens' });
  const dialog = page.getByRole('dialog');
  await card.getByRole('button', { name: 'Create token' }).click();
  await dialog.getByLabel('Token name').fill('Wrong one');
  await page.keyboard.press('Enter');
  await expect(card).toContainText(/cnry_api_[\w-]{43}/);
  await expect(card.getByRole('listitem')).toContainText('Run deploys and read them (all deploys)');
  await card.getByRole('button', { name: 'Delete token: Wrong one' }).click();
  await dialog.getByRole('button', { name: 'Delete token' }).click();
  await expect(card).toContainText('No API tokens yet.');
  await expect(card).not.toContainText('cnry_api_');
});

test('tokens that cannot be read or made are said to be so, an expired one is marked', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await failCalls(page, '**/api/api-tokens', 500);
  await page.goto(`${product.url}/ics/account`);
  const card = page.getByRole('region', { name: 'API tokens' });
  await expect(card.getByRole('alert')).toContainText('Cannot load API tokens.');
  await expect(card.getByRole('button', { name: 'Create token' })).toBeDisabled();
  await page.unrouteAll();

  const made = await user.api.call<ApiToken>('POST', '/api-tokens', {
    label: 'Old',
    scopes: ['deploys:run'],
  });
  const old = { ...made, expires_at: new Date(Date.now() - 86_400_000).toISOString() };
  await page.route('**/api/api-tokens', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: [old] })
      : route.fulfill({
          status: 400,
          json: { error: 'You have 50 API tokens', message: 'You have 50 API tokens' },
        }),
  );
  await page.reload();
  await expect(card.getByRole('listitem')).toContainText('Expired');
  await card.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token name').fill('One more');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  await expect(page.getByText('You have 50 API tokens')).toBeVisible();
  await expect(dialog.getByLabel('Token name')).toHaveValue('One more');
});
