import { createDeploy, runDeploy } from '../support/deploys.ts';
import { NewDeployPages } from '../pages/new-deploy-pages.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

const deploy = { name: 'Guarded', repo_name: 'guarded', deploy_type: 'MOTOKO' } as const;
const actor = (health: string): string =>
  `persistent actor { public query func health() : async Bool { ${health} } }`;

test('a run whose health call fails goes back, and the page says so', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(240_000);
  await pushFiles(product, user, 'guarded', { 'main.mo': actor('true') });
  const id = await createDeploy(user, deploy);
  await page.goto(`${product.url}/ics/deploy/${id}`);
  const plan = page.getByText(/^With the next run, 1 canister will be created, for 2 T of your .* T\.$/);
  await expect(plan).toBeVisible();
  expect(await runDeploy(user, id)).toBe('COMPLETED');

  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  const choice = page.getByLabel('Before an upgrade');
  await expect(choice).toContainText('Take a snapshot, or stop');
  const form = page.getByRole('form', { name: 'Health call' });
  await expect(form.getByLabel('Expected answer')).toHaveCount(0);
  await form.getByLabel('Method').fill('health');
  await form.getByLabel('Expected answer').fill('(true)');
  await form.getByLabel('Deadline in seconds').fill('0');
  await expect(form.getByText('Between 1 and 300 seconds.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save health call' })).toBeDisabled();
  await form.getByLabel('Deadline in seconds').fill('2');
  await form.getByRole('button', { name: 'Save health call' }).click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await page.reload();
  await expect(form.getByLabel('Expected answer')).toHaveValue('(true)');

  await pushFiles(product, user, 'guarded', { 'main.mo': actor('false') });
  expect(await runDeploy(user, id)).toBe('FAILED');
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await expect(
    page.getByText(/answered \(false\), not \(true\)\. The former version is live again: main\./).first(),
  ).toBeVisible();
  await expect(plan).toHaveCount(0);
});

test('the form of a new deploy says what is created, and asks what it starts with', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(240_000);
  const module = { type: 'custom', wasm: 'm.wasm', candid: 'm.did' };
  await pushFiles(product, user, 'planned', {
    'dfx.json': JSON.stringify({ canisters: { one: module, two: module } }),
    'm.wasm': '\0asm\x01\0\0\0',
    'm.did': 'service : {}',
  });
  const pages = new NewDeployPages(page, product.url);
  await pages.open('CUSTOM');
  await pages.connect('planned');
  const section = page.getByRole('region', { name: 'What will be created' });
  await expect(section.getByText(/^2 canisters will be created, for 4 T of your .* T\.$/)).toBeVisible();
  const two = section.getByLabel('Starting cycles of two (T)');
  await two.fill('1');
  await expect(section.getByText('Between 2 T and 1000 T.')).toBeVisible();
  await two.fill('3.5');
  await expect(section.getByText(/^2 canisters will be created, for 5\.5 T of your .* T\.$/)).toBeVisible();
  await pages.name.fill('Planned');
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 120_000 });
  const deploys = await user.api.call<{ starting_cycles: unknown }[]>('GET', '/deploy');
  expect(deploys[0]?.starting_cycles).toEqual([{ canister: 'two', amount: 3.5 }]);
});
