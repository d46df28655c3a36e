import { callsOf } from '../support/calls.ts';
import { createCanister } from '../support/canisters-of.ts';
import { createSite, runDeploy } from '../support/deploys.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

test('[NAV-05] the sidebar leads to the DApps alone; an address leads to those of the page of canisters', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six']) await createCanister(user.api, name);
  const site = await createSite(product, user, 'shop');
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.goto(`${product.url}/ics/dashboard`);
  const sidebar = page.getByRole('complementary');
  const dapps = sidebar.getByRole('link', { name: 'DApps', exact: true });
  await dapps.click();
  await expect(page).toHaveURL(`${product.url}/ics/dapps`);
  await expect(page.getByRole('list', { name: 'DApps' })).toContainText('shop');
  await expect(dapps).toHaveAttribute('aria-current', 'page');
  await expect(sidebar.getByRole('link', { name: 'Canisters' })).not.toHaveAttribute('aria-current', 'page');
  await page.goto(`${product.url}/ics/canisters#dapps`);
  const table = page.getByRole('table', { name: 'DApps' });
  await expect(table, 'the address alone leads there').toBeInViewport();
  await expect(sidebar.getByRole('link', { name: 'Canisters' })).toHaveAttribute('aria-current', 'page');
  await table.getByRole('button', { name: 'Name' }).first().click();
  await expect(page).toHaveURL(/dapps\.sort=.*#dapps$/);
  await page.goto(`${product.url}/ics/deploy/${site}`);
  await expect(dapps).toHaveAttribute('aria-current', 'page');
});

test('breadcrumbs lead to the list above and to the others of a kind; the palette finds the rest', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const ids: string[] = [];
  for (let place = 1; place <= 10; place += 1) ids.push(await createCanister(user.api, `Oven ${place}`));
  await page.goto(`${product.url}/ics/canister/${ids[0]}`);
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  const lists = callsOf(page, 'GET', '/canister/list/');
  const switcher = crumbs.getByRole('button', { name: 'Oven 1, other canisters' });
  await switcher.click();
  const items = page.getByRole('menuitem');
  await expect(items).toHaveCount(9);
  await expect(items.first()).toContainText('Oven 10');
  await expect(items.filter({ hasText: /^Oven 1(?!0)/ })).toHaveCount(0);
  expect(lists.length, 'the list is asked for when it is wanted').toBe(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${product.url}/ics/canister/${ids[9]}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Oven 10' })).toBeVisible();
  await crumbs.getByRole('button', { name: 'Oven 10' }).click();
  await items.last().click();
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await page.keyboard.press('Escape');
  await crumbs.getByRole('link', { name: 'Canisters' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/canisters`);
  await expect(crumbs).toBeHidden();

  const shop = await createSite(product, user, 'shop');
  const bakery = await createSite(product, user, 'bakery');
  await page.goto(`${product.url}/ics/deploy/${shop}/settings`);
  await crumbs.getByRole('button', { name: 'shop, other DApps' }).click();
  await page.getByRole('menuitem', { name: 'bakery' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${bakery}`);
  await crumbs.getByRole('link', { name: 'DApps' }).click();
  await expect(page).toHaveURL(`${product.url}/ics/dapps`);
});

test('the palette acts on the canister that is open, and what was open last comes first', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const bakery = await createCanister(user.api, 'Bakery');
  const brewery = await createCanister(user.api, 'Brewery');
  await page.goto(`${product.url}/ics/canister/${bakery}`);
  const canister = new CanisterPage(page);
  await expect(canister.status).toHaveText('running');
  await page.goto(`${product.url}/ics/canister/${brewery}`);
  await expect(canister.status).toHaveText('running');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const chosen = palette.getByRole('option', { selected: true });
  const input = palette.getByRole('combobox');
  await page.keyboard.press('Control+k');
  await expect(chosen, 'Enter goes back to where one was').toContainText('Bakery');
  const actions = palette.getByRole('group', { name: 'This canister' }).getByRole('option');
  await expect(actions).toContainText(['Stop', 'Add Cycles', 'Install WASM']);
  await input.fill('stop');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Canister stopped', { exact: true })).toBeVisible();
  await expect(canister.status).toHaveText('stopped');
  await page.keyboard.press('Control+k');
  await input.fill('start');
  await expect(chosen).toContainText('Run');
  await page.keyboard.press('Enter');
  await expect(canister.status).toHaveText('running');
  await page.keyboard.press('Control+k');
  await input.fill('top up');
  // Not while the canister is being changed.
  await expect(chosen).toContainText('Add Cycles');
  await page.keyboard.press('Enter');
  await expect(canister.topUpDialog).toContainText('Brewery');
  await canister.topUpDialog.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(canister.fact('Cycles')).toContainText('3.00 T');
  // News of the payment may come before its answer closes the dialog.
  await expect(canister.topUpDialog).toBeHidden();
  await page.keyboard.press('Control+k');
  await input.fill('install');
  await expect(chosen).toContainText('Install WASM');
  await page.keyboard.press('Enter');
  await expect(canister.installDialog).toContainText('Brewery');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await input.fill('settings');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${product.url}/ics/canister/${brewery}?tab=settings`);
});

test('the palette deploys what is open, and rolls it back', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const id = await createSite(product, user, 'shop');
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await pushFiles(product, user, 'shop', { 'index.html': '<h1>second</h1>' });
  await page.goto(`${product.url}/ics/deploy/${id}/settings`);
  await expect(page.getByLabel('Publish directory')).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const input = palette.getByRole('combobox');
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('option', { name: 'Roll back' }), 'to nothing').toHaveCount(0);
  await input.fill('deploy now');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Deployment Started!')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}`);
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 90_000 });
  await page.keyboard.press('Control+k');
  await input.fill('undo');
  await expect(palette.getByRole('option', { selected: true })).toContainText('Roll back to');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Roll back to/ });
  await dialog.getByRole('button', { name: 'Roll back', exact: true }).click();
  await expect(page.getByText('The rollback has started.')).toBeVisible();
});

test('[NAV-26] the theme used at first is the default one, also on a device that is dark', async ({
  page,
  product,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${product.url}/login`);
  await expect(page.getByRole('link', { name: 'Sign in with Google' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'default');
});

test('[NAV-26] [NAV-27] System follows the device; a theme that is chosen follows nothing', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const html = page.locator('html');
  const stored = () => page.evaluate(() => localStorage.getItem('theme'));
  const choose = async (name: string) => {
    await page.getByRole('button', { name: new RegExp(user.name) }).click();
    await page.getByRole('menuitemradio', { name }).click();
    await page.keyboard.press('Escape');
  };
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${product.url}/ics/dashboard`);
  // The page is of the default theme until the profile has come, whatever that brings.
  await expect.poll(stored, { message: 'nobody has chosen it' }).toBe('default');
  await expect(html, 'nobody has chosen it').toHaveAttribute('data-theme', 'default');
  await choose('System');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await expect.poll(stored, { message: 'one of the four keys at any time' }).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-theme', 'default');
  await expect.poll(stored).toBe('default');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect(page.getByText('Hi,')).toBeVisible();
  await expect(html, 'after the session has been checked').toHaveAttribute('data-theme', 'dark');
  await choose('Leaf');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.reload();
  await expect(page.getByText('Hi,')).toBeVisible();
  await expect(html).toHaveAttribute('data-theme', 'success');
});

test('Escape closes the list of a select, and not the dialog that it stands in', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/account`);
  await page.getByRole('button', { name: 'Create token' }).click();
  const dialog = page.getByRole('dialog');
  const select = dialog.getByRole('combobox', { name: 'Expires' });
  await select.click();
  await expect.poll(() => select.evaluate((element) => element.matches(':open'))).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => select.evaluate((element) => element.matches(':open'))).toBe(false);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('[CAND-17] a newcomer without a module installs the one that comes with the product, and calls it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const id = await createCanister(user.api, 'First');
  await page.goto(`${product.url}/ics/canister/${id}`);
  const canister = new CanisterPage(page);
  await canister.action('Install WASM').click();
  const sample = canister.installDialog.getByRole('button', { name: 'Use the sample module' });
  await sample.click();
  await expect(sample).toHaveAttribute('aria-pressed', 'true');
  await expect(canister.installDialog.getByText('The module takes no install arguments.')).toBeVisible({
    timeout: 90_000,
  });
  await canister.installDialog.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(page.getByText('Installed!')).toBeVisible();
  const { module_hash: hash } = await user.api.call<{ module_hash: string }>('GET', `/canister/status/${id}`);
  await expect(canister.moduleHash).toContainText(hash.slice(0, 8));
});

test('a click that leads to another page is shown before that page is worked out', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  const link = page.getByRole('link', { name: 'Canisters', exact: true }).first();
  await expect(link).toBeVisible();
  // Frames from the click until the address is the new one.
  const frames = await link.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const before = location.pathname;
        let count = 0;
        const step = (): void => {
          if (location.pathname !== before) return resolve(count);
          count += 1;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
        (element as HTMLElement).click();
      }),
  );
  expect(frames).toBeGreaterThan(0);
});
