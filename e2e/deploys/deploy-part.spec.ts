import { createDeploy, runDeploy } from '../support/deploys.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const shop = (title: string): Record<string, string> => ({
  'dfx.json': JSON.stringify({
    canisters: { page: { type: 'assets', source: ['web'] }, till: { main: 'till.mo' } },
  }),
  'till.mo': `persistent actor { public query func title() : async Text { "${title}" } }`,
  'web/index.html': `<h1>${title}</h1>`,
});

test('[DEPD-06] a part of a project is chosen by keyboard and deployed alone', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'shop', shop('One'));
  const id = await createDeploy(user, { name: 'Shop', repo_name: 'shop', deploy_type: 'CUSTOM' });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await pushFiles(product, user, 'shop', shop('Two'), 'Two');

  await page.goto(`${product.url}/ics/deploy/${id}`);
  const deploy = new DeployPage(page);
  const open = page.getByRole('button', { name: 'Deploy a part' });
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Deploy a part' });
  const till = dialog.getByRole('checkbox', { name: /^till/ });
  const start = dialog.getByRole('button', { name: /^(Choose canisters|Deploy \d)/ });
  await expect(dialog.getByRole('checkbox')).toHaveCount(2);
  await expect(start).toBeDisabled();
  await till.press('Space');
  await expect(start).toHaveText('Deploy 1 canister');
  await till.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(open).toBeDisabled();
  await expect(deploy.latest).toContainText('only till');
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });

  // The page of before is still there; the run says what it was limited to, and the one before was of everything.
  const { parts } = await user.api.call<{ parts: { name: string; canister_id: string }[] }>(
    'GET',
    `/deploy/${id}`,
  );
  const site = parts.find(({ name }) => name === 'page')?.canister_id;
  expect(await (await fetch(`${product.networkUrl}/?canisterId=${site}`)).text()).toContain('One');
  await expect(page.getByRole('list', { name: 'Earlier runs' })).not.toContainText('only');

  // Another cancels without a run.
  await open.click();
  await dialog.getByRole('checkbox', { name: /^page/ }).check();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(open).toBeEnabled();
});

test('the dialog says why there is nothing to choose', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'broken', { 'dfx.json': '{ "canisters": ' });
  const id = await createDeploy(user, { name: 'Broken', repo_name: 'broken', deploy_type: 'CUSTOM' });
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await page.getByRole('button', { name: 'Deploy a part' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy a part' });
  await expect(dialog).toContainText('dfx.json');
  await expect(dialog.getByRole('button', { name: 'Choose canisters' })).toBeDisabled();
});
