import { createCanister } from '../support/canisters-of.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';

test('the command palette finds pages, canisters and actions, and ? tells the shortcuts', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await createCanister(user.api, 'Brewery');
  const canisters = new CanistersPage(page, product.url);
  await page.goto(`${product.url}/ics/dashboard`);
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const input = palette.getByRole('combobox');
  const chosen = palette.getByRole('option', { selected: true });
  await page.getByRole('button', { name: 'Open the command palette' }).click();
  await expect(input).toBeFocused();
  await expect(chosen).toHaveText('Dashboard');
  await expect(palette.getByRole('option', { name: 'Brewery' })).toBeVisible();
  await inspectOnPhone(page, 'palette');
  await page.keyboard.press('Control+k');
  await expect(palette).toBeHidden();

  await test.step('a canister by its id', async () => {
    await page.keyboard.press('Control+k');
    await input.fill(id.slice(0, 12));
    await expect(palette.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/ics/canister/${id}$`));
    await page.keyboard.press('Control+k');
    await expect(chosen, 'what was used last comes first').toContainText('Bakery');
    await input.fill('no such thing');
    await expect(palette.getByText('Nothing matches.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  });

  await test.step('actions: theme and creation', async () => {
    await page.keyboard.press('Control+k');
    await input.fill('theme');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
    await expect(chosen).toHaveText('Theme: Dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.keyboard.press('Control+k');
    await input.fill('create can');
    await page.keyboard.press('Enter');
    await canisters.dialog.getByLabel('Name').fill('Butchery');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ics\/canisters$/);
    await expect(canisters.row('Butchery')).toBeVisible();
  });

  await test.step('the list of shortcuts, which can be switched off', async () => {
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByRole('searchbox').first().press('?');
    await expect(shortcuts).toBeHidden();
    await page.locator('main').focus();
    await page.keyboard.press('?');
    await expect(shortcuts).toContainText('Open the command palette');
    await inspectOnPhone(page, 'shortcuts');
    await shortcuts.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await expect(shortcuts).toBeHidden();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await expect(palette).toBeVisible();
    await input.fill('sign out');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/login$/);
  });
});
