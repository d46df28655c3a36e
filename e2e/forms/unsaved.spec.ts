import type { Locator, Page } from '@playwright/test';
import { violationsInThemes } from '../support/accessibility.ts';
import { callsOf, failCalls } from '../support/calls.ts';
import { createCanister } from '../support/canisters-of.ts';
import { createDeploy } from '../support/deploys.ts';
import { DeployPage } from '../pages/deploy-page.ts';
import { expect, test } from '../support/product.ts';
import { type Owner, pushFiles } from '../support/repositories.ts';
import type { Product } from '@cannery/dev-env';

const formOf = (page: Page, name: string): Locator => page.getByRole('form', { name, exact: true });
const saveOf = (form: Locator): Locator => form.getByRole('button', { name: /^Save/ });
const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Unsaved changes' });
const askOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Leave without saving?' });

async function settingsOf(page: Page, product: Product, user: Owner): Promise<string> {
  await pushFiles(product, user, 'bakery', { 'index.html': '<h1>Fresh bread</h1>' });
  const id = await createDeploy(user, { name: 'Bakery', repo_name: 'bakery', deploy_type: 'STATIC_SITE' });
  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  await expect(new DeployPage(page).name).toHaveValue('Bakery');
  return id;
}

test('the settings of a deploy have one way to be saved: each card by its button once it is changed, or all of them by the bar', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await settingsOf(page, product, user);
  const updates = callsOf(page, 'PATCH', `/api/deploy/${id}`);
  const deploy = new DeployPage(page);
  const pushes = formOf(page, 'Pushes');
  const push = pushes.getByRole('checkbox', { name: /^Deploy on push/ });
  await expect(barOf(page)).toHaveCount(0);

  // A choice waits for its button like everything else.
  await expect(saveOf(pushes)).toBeDisabled();
  await push.check();
  await expect(saveOf(pushes)).toBeEnabled();
  await expect(barOf(page)).toContainText('Unsaved changes in Pushes');
  await page.waitForTimeout(300);
  expect(updates).toHaveLength(0);
  await saveOf(pushes).click();
  await expect(page.getByText('Updated successfully.')).toHaveCount(1);
  expect(updates.map((call) => call.postDataJSON())).toEqual([{ on_push: true }]);
  await expect(barOf(page)).toHaveCount(0);
  await expect(push).toBeChecked();

  // What is taken back by hand is no change.
  await deploy.name.fill('Mill');
  await expect(barOf(page)).toContainText('in General');
  await deploy.name.fill('Bakery');
  await expect(barOf(page)).toHaveCount(0);

  // Three cards at once: none of them is forgotten, and it is said once.
  await page.reload();
  await deploy.name.fill('Mill');
  await formOf(page, 'Build settings').getByLabel('Root directory').fill('apps/web');
  await push.uncheck();
  await expect(barOf(page)).toContainText('Unsaved changes in General, Build and Pushes');
  expect(await violationsInThemes(page)).toEqual([]);
  await barOf(page).getByRole('button', { name: 'Save all' }).click();
  await expect(barOf(page)).toHaveCount(0);
  await expect(page.getByText('Updated successfully.')).toHaveCount(1);
  await expect(page.getByRole('main')).toBeFocused();
  expect(await user.api.call('GET', `/deploy/${id}`)).toMatchObject({
    name: 'Mill',
    root_directory: 'apps/web',
    on_push: false,
  });

  // All of them back.
  await deploy.name.fill('Forge');
  await push.check();
  await barOf(page).getByRole('button', { name: 'Undo all' }).click();
  await expect(barOf(page)).toHaveCount(0);
  await expect(deploy.name).toHaveValue('Mill');
  await expect(push).not.toBeChecked();

  // A mistake keeps the bar from saving, and says where it is.
  await deploy.name.fill('Forge');
  await formOf(page, 'Build settings').getByLabel('Root directory').fill('../up');
  await expect(barOf(page)).toContainText('cannot be saved yet: see Build');
  await expect(barOf(page).getByRole('button', { name: 'Save all' })).toBeDisabled();
  await formOf(page, 'Build settings').getByRole('button', { name: 'Undo changes' }).click();

  // What the service refuses stays changed.
  await failCalls(page, `**/api/deploy/${id}`, 400, { error: 'Not now.' });
  await barOf(page).getByRole('button', { name: 'Save all' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not now.' })).toBeVisible();
  await expect(barOf(page)).toContainText('in General');
  await expect(deploy.name).toHaveValue('Forge');

  // The reason stays in its card when the toast has gone, until something else is to be saved.
  await expect(page.getByRole('alert')).toHaveCount(0);
  const general = page.locator('form').filter({ has: page.getByRole('heading', { name: 'General' }) });
  await expect(general).toContainText('Not saved');
  await expect(general).toContainText('Not now.');
  await deploy.name.fill('Forge 2');
  await expect(general.getByText('Not saved')).toHaveCount(0);
  await push.check();
  await saveOf(pushes).click();
  await expect(pushes).toContainText('Not now.');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(pushes).toContainText('Not saved');
  expect(await violationsInThemes(page)).toEqual([]);
  await pushes.getByRole('button', { name: 'Undo changes' }).click();
  await expect(pushes.getByText('Not saved')).toHaveCount(0);
});

test('a page with changed forms is not left unasked: by a link, a tab, back or the palette; one without is', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await settingsOf(page, product, user);
  // From page to page within the console, so that going back is no load of a page.
  await page.goto(`${product.url}/ics/deploy/${id}`);
  await page.getByRole('tab', { name: 'Settings' }).click();
  const address = `${product.url}/ics/deploy/${id}/settings`;
  const deploy = new DeployPage(page);
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  const ways: Record<string, () => Promise<void>> = {
    'a link': () => sidebar.getByRole('link', { name: 'Marketplace' }).click(),
    'a tab of the page': () => page.getByRole('tab', { name: 'Details' }).click(),
    back: () => page.goBack().then(() => undefined),
    'the palette': async () => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('registries');
      await page.keyboard.press('Enter');
    },
  };
  await deploy.name.fill('Mill');
  for (const [way, go] of Object.entries(ways)) {
    await go();
    await expect(askOf(page), way).toBeVisible();
    await expect(askOf(page), way).toContainText('What you have changed in General is not saved.');
    await expect(askOf(page).getByRole('button', { name: 'Stay' }), way).toBeFocused();
    await askOf(page).getByRole('button', { name: 'Stay' }).click();
    await expect(askOf(page), way).toBeHidden();
    await expect(page, way).toHaveURL(address);
    await expect(deploy.name, way).toHaveValue('Mill');
  }

  // Nothing is asked where nothing is changed, nor after a save.
  await deploy.update.click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await sidebar.getByRole('link', { name: 'Marketplace' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/marketplace`);
  await page.goBack();
  await expect(deploy.name).toHaveValue('Mill');
  await page.getByRole('tab', { name: 'Details' }).click();
  await expect(page).toHaveURL(/\/details$/);
  await page.getByRole('tab', { name: 'Settings' }).click();

  // Whoever leaves all the same, does.
  await deploy.name.fill('Forge');
  await sidebar.getByRole('link', { name: 'Registries' }).click();
  await askOf(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/registries`);
  await expect(deploy.name).toHaveCount(0);
  await page.goBack();
  await expect(deploy.name, 'what was left is gone').toHaveValue('Mill');
  await sidebar.getByRole('link', { name: 'Registries' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/registries`);
});

test('while the next page is being fetched, nobody is asked twice, and going back keeps what was typed', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  // The code of that page comes when the test says so.
  const code = Promise.withResolvers<void>();
  await page.route(/\/registries[^/]*\.js$/, async (route) => {
    await code.promise;
    await route.continue();
  });
  const id = await settingsOf(page, product, user);
  const settings = `${product.url}/ics/deploy/${id}/settings`;
  const deploy = new DeployPage(page);
  const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
  await deploy.name.fill('Forge');
  await link('Registries').click();
  await askOf(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/registries`);
  await expect(deploy.name, 'the page is still there').toHaveValue('Forge');
  await page.goBack();
  await expect(page).toHaveURL(settings);
  await expect(askOf(page)).toBeHidden();
  await expect(deploy.name).toHaveValue('Forge');

  // Whoever is back is asked again, and whoever goes elsewhere after that is not.
  await link('Registries').click();
  await askOf(page).getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/registries`);
  await link('Marketplace').click();
  await expect(page).toHaveURL(`${product.url}/ics/marketplace`);
  await expect(deploy.name).toHaveCount(0);
  await expect(askOf(page)).toBeHidden();
  code.resolve();
});

test('the browser asks before a tab with changed forms is closed, and only then', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await settingsOf(page, product, user);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  const deploy = new DeployPage(page);
  await deploy.name.fill('Mill');
  await deploy.discard.click();
  await page.reload();
  expect(asked).toEqual([]);
  await deploy.name.fill('Mill');
  await expect(barOf(page)).toBeVisible();
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await expect(deploy.name).toHaveValue('Bakery');
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
});

test('the settings of a canister are guarded as well, and do not follow to the next canister', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const first = await createCanister(user.api, 'First');
  const second = await createCanister(user.api, 'Second');
  await page.goto(`${product.url}/ics/canister/${second}?tab=settings`);
  await expect(page.getByLabel('Compute allocation')).toHaveValue('0');
  await page.goto(`${product.url}/ics/canister/${first}?tab=settings`);
  const field = page.getByLabel('Compute allocation');
  await field.fill('7');
  await page.getByRole('tab', { name: 'History' }).click();
  await expect(askOf(page)).toContainText('What you have changed in the settings is not saved.');
  await page.keyboard.press('Escape');
  await expect(askOf(page)).toBeHidden();
  await expect(field).toHaveValue('7');

  // Signed out there is nothing to stay for.
  await page.getByRole('button', { name: 'profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  await expect(askOf(page)).toHaveCount(0);
});

test('a deploy that is deleted takes its changed settings with it, unasked', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await settingsOf(page, product, user);
  await new DeployPage(page).name.fill('Mill');
  await page.getByRole('button', { name: 'Delete DApp' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .last()
    .click();
  await expect(page).toHaveURL(`${product.url}/ics/canisters`);
  await expect(askOf(page)).toHaveCount(0);
});

test('what is changed elsewhere while somebody types is kept: settings of a deploy', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await settingsOf(page, product, user);
  const general = formOf(page, 'General')
    .or(page.locator('form').filter({ hasText: 'General' }))
    .first();
  await general.getByLabel('Build command').fill('make bread');
  await user.api.call('PATCH', `/deploy/${id}`, {
    name: 'Mill',
    build_cmd: 'make flour',
    publish_dir: 'out',
  });
  await expect(new DeployPage(page).name).toHaveValue('Mill');
  await expect(general.getByLabel('Publish directory')).toHaveValue('out');
  await expect(general.getByLabel('Build command')).toHaveValue('make bread');
  await expect(barOf(page)).toContainText('in General');
  await general.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Updated successfully.')).toBeVisible();
  await expect(barOf(page)).toHaveCount(0);
  expect(await user.api.call('GET', `/deploy/${id}`)).toMatchObject({
    name: 'Mill',
    build_command: 'make bread',
    publish_directory: 'out',
  });

  // What is typed can be undone afterwards as well, to what is saved now.
  await general.getByLabel('Build command').fill('make cake');
  await user.api.call('PATCH', `/deploy/${id}`, {
    name: 'Oven',
    build_cmd: 'make dough',
    publish_dir: 'out',
  });
  await expect(new DeployPage(page).name).toHaveValue('Oven');
  await general.getByRole('button', { name: 'Discard' }).click();
  await expect(general.getByLabel('Build command')).toHaveValue('make dough');
  await expect(barOf(page)).toHaveCount(0);
});
