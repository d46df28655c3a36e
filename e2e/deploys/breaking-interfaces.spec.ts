import { createDeploy, runDeploy, runsOf } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const counter = { name: 'Counter', repo_name: 'counter', deploy_type: 'MOTOKO' } as const;
const GREET = 'public query func greet() : async Text { "hello" };';
const LEAVE = 'public query func leave() : async Text { "goodbye" };';

test('a run that would break callers asks, and is published after the page has repeated what breaks', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await pushFiles(product, user, 'counter', { 'main.mo': `persistent actor { ${GREET} ${LEAVE} }` });
  const id = await createDeploy(user, counter);
  expect(await runDeploy(user, id)).toBe('COMPLETED');

  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  const choice = page.getByLabel('When an interface breaks its callers');
  await expect(choice).toHaveValue('publish');
  await choice.selectOption('Ask me before anything changes');
  await page.getByRole('form', { name: 'Interfaces' }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await page.reload();
  await expect(choice).toHaveValue('ask');

  await pushFiles(product, user, 'counter', { 'main.mo': `persistent actor { ${GREET} }` });
  expect(await runDeploy(user, id)).toBe('FAILED');
  await page.goto(`${product.url}/ics/deploy/${id}`);
  const open = page.getByRole('button', { name: 'Publish anyway' });
  await open.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/Callers of \S+: .*leave/);
  await expect(dialog).not.toContainText('Keep the interface compatible');
  await dialog.getByRole('button', { name: 'Keep what is live' }).click();
  await expect(dialog).toBeHidden();
  expect(await runsOf(user, id)).toEqual(['MANUAL FAILED', 'MANUAL COMPLETED']);

  await open.click();
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 60_000 });
  expect(await runsOf(user, id)).toEqual(['APPROVAL COMPLETED', 'MANUAL FAILED', 'MANUAL COMPLETED']);
  await page.reload();
  await expect(open).toHaveCount(0);
});
