import { createDeploy, runDeploy } from '../support/deploys.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const bakery = { name: 'Bakery', repo_name: 'bakery', deploy_type: 'STATIC_SITE' } as const;

test('an earlier run is put back after the page has shown what changes', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Fresh bread</h1>' });
  const id = await createDeploy(user, bakery);
  await runDeploy(user, id);
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Stale bread</h1>' });
  await runDeploy(user, id);
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${id}`);
  const live = async (): Promise<string> =>
    (await fetch(`${product.networkUrl}/?canisterId=${canisters[0]}`)).text();
  expect(await live()).toContain('Stale');

  await page.goto(`${product.url}/ics/deploy/${id}`);
  const { earlier } = new DeployPage(page);
  await expect(earlier).toHaveCount(1);
  await earlier.getByRole('button').first().click();
  await earlier.getByRole('button', { name: 'Roll back to this' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/Roll back to [0-9a-f]{7}\?/);
  await expect(dialog).toContainText(/website\s*[0-9a-f]{10} to [0-9a-f]{10}/);
  await dialog.getByRole('button', { name: 'Keep what is live' }).click();
  await expect(dialog).toBeHidden();
  expect(await live()).toContain('Stale');

  await earlier.getByRole('button', { name: 'Roll back to this' }).click();
  await dialog.getByRole('button', { name: 'Roll back', exact: true }).click();
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  expect(await live()).toContain('Fresh');
  // The rollback is the newest run, and what it replaced can be put back in turn.
  await expect(earlier).toHaveCount(2);
  await page.reload();
  await earlier.first().getByRole('button').first().click();
  await expect(earlier.first().getByRole('button', { name: 'Roll back to this' })).toBeVisible();
});
