import { createDeploy, runDeploy, runsOf } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const project = {
  canisters: {
    backend: { type: 'rust', package: 'backend', candid: 'backend.did' },
    page: { type: 'assets', source: ['dist'], dependencies: ['backend'] },
  },
};

test('a website does not go live without the canister that it needs, unless the owner agrees', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', {
    'dfx.json': JSON.stringify(project),
    'backend.did': 'service : {}',
    'dist/index.html': '<h1>Shop</h1>',
  });
  const id = await createDeploy(user, { name: 'Shop', repo_name: 'shop', deploy_type: 'CUSTOM' });
  expect(await runDeploy(user, id)).toBe('FAILED');

  await page.goto(`${product.url}/ics/deploy/${id}`);
  const failure = 'Page needs backend (Rust), which is not deployed: Rust is not compiled here';
  await expect(page.getByText(failure).first()).toBeVisible();
  const without = page.getByRole('button', { name: 'Deploy without backend' });
  await without.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Deploy nothing' }).click();
  expect(await runsOf(user, id)).toEqual(['MANUAL FAILED']);

  await without.click();
  const rest = dialog.getByRole('button', { name: 'Deploy the rest' });
  const settings = `**/api/deploy/${id}`;
  await page.route(settings, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 400, json: { error: 'The deploy is being deleted.' } })
      : route.fallback(),
  );
  await rest.click();
  await expect(dialog.getByText('Not saved')).toBeVisible();
  await expect(dialog.getByText('The deploy is being deleted.')).toBeVisible();
  expect(await runsOf(user, id)).toEqual(['MANUAL FAILED']);
  await page.unroute(settings);
  await rest.click();
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  const left = '1 of 2 canisters not deployed: backend (Rust)';
  await expect(page.getByText(left, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /is live for/ }).click();
  await expect(page.getByText(`Live, ${left}.`)).toBeVisible();

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Remove backend' }).click();
  await page.getByRole('form', { name: 'Deploy without' }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  expect(await runDeploy(user, id)).toBe('FAILED');
});
