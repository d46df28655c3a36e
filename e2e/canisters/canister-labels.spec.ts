import type { Page } from '@playwright/test';
import { CanistersPage } from '../pages/canisters-page.ts';
import { violationsOf } from '../support/accessibility.ts';
import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { createCanister } from '../support/canisters-of.ts';
import { expect, test } from '../support/product.ts';

/** Opens the menu of a row of the list and chooses an entry. */
async function choose(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

test('[CAN-03] [VAL-03] a canister is renamed from the list and on its page, and other windows show it within a second', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await context.addInitScript((token) => localStorage.setItem('token', token), user.api.token);
  const other = await context.newPage();
  await other.goto(`${product.url}/ics/canister/${id}`);
  const heading = other.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Bakery');

  await choose(page, 'Bakery', 'Rename');
  const field = canisters.dialog.getByLabel('Name');
  await expect(field).toBeFocused();
  // The row opens its page by a click, and in another tab by the middle button; its dialog is no part of it.
  const text = canisters.dialog.getByText('The name is shown in the console.');
  await text.click({ button: 'middle' });
  await text.click();
  await expect(field).toBeVisible();
  expect(context.pages()).toHaveLength(2);
  await field.fill('  ');
  await canisters.dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(canisters.dialog.getByRole('alert')).toHaveText('Name is required');
  expect(await violationsOf(page)).toEqual([]);
  await field.fill('<b>Corner</b> bakery');
  await page.keyboard.press('Enter');
  await expect(canisters.dialog).toBeHidden();
  const renamedAt = Date.now();
  await expect(canisters.table.cell('Canister Name')).toHaveText(['<b>Corner</b> bakery']);
  await expect(heading).toHaveText('<b>Corner</b> bakery');
  expect(Date.now() - renamedAt).toBeLessThan(1_500);
  await expect(other).toHaveTitle(/<b>Corner<\/b> bakery/);

  await other.getByRole('button', { name: 'Rename', exact: true }).click();
  await other.getByRole('dialog').getByLabel('Name').fill('Shop');
  await other.keyboard.press('Enter');
  await expect(heading).toHaveText('Shop');
  await expect(canisters.table.cell('Canister Name')).toHaveText(['Shop']);
  await other.getByRole('tab', { name: 'History' }).click();
  await expect(other.getByText('From “<b>Corner</b> bakery” to “Shop”.')).toBeVisible();
});

test('while a canister stops, its row says so and takes no second action', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  for (const name of ['Bakery', 'Mill']) await createCanister(user.api, name);
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const release = await holdCalls(page, '**/api/canister/stop');
  const menuOf = (name: string) => page.getByRole('button', { name: `Actions of ${name}`, exact: true });
  const entry = (name: string) => page.getByRole('menuitem', { name, exact: true });
  await choose(page, 'Bakery', 'Stop');
  await expect(menuOf('Bakery')).toHaveAttribute('aria-busy', 'true');
  await expect(menuOf('Mill')).not.toHaveAttribute('aria-busy');
  await menuOf('Bakery').click();
  await expect(entry('Stop')).toBeDisabled();
  await expect(entry('Add Cycles')).toBeDisabled();
  await expect(entry('Rename')).toBeEnabled();
  expect(await violationsOf(page)).toEqual([]);
  await release();
  await expect(entry('Start')).toBeEnabled();
  await expect(entry('Add Cycles')).toBeEnabled();
  await page.keyboard.press('Escape');
  await expect(menuOf('Bakery')).not.toHaveAttribute('aria-busy');
  await expect(canisters.table.cell('Status', canisters.table.row('Bakery'))).toHaveText('stopped');
});

test('tags are shown in the cell of the name, filter the list and have an address', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  for (const name of ['Apple', 'Banana', 'Cherry']) await createCanister(user.api, name);
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(page.getByRole('combobox', { name: 'Tag', exact: true })).toHaveCount(0);
  await choose(page, 'Banana', 'Tags');
  const field = canisters.dialog.getByLabel('Add a tag');
  await field.fill('a,b');
  await canisters.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(canisters.dialog.getByRole('alert')).toContainText('A tag has 1 to 24 letters');
  await field.fill('Prod');
  await page.keyboard.press('Enter');
  await field.fill('team: fruit');
  expect(await violationsOf(page)).toEqual([]);
  await canisters.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(canisters.dialog).toBeHidden();
  const tags = canisters.table.row('Banana').getByRole('list', { name: 'Tags' }).getByRole('link');
  await expect(tags).toHaveText(['prod', 'team: fruit']);
  await tags.first().click();
  await expect(page).toHaveURL(`${product.url}/ics/canisters?tag=prod`);
  await expect(canisters.table.rows).toHaveCount(1);
  await page.reload();
  await expect(canisters.table.rows).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('All tags');
  await expect(canisters.table.rows).toHaveCount(3);
  await choose(page, 'Banana', 'Tags');
  await canisters.dialog.getByRole('button', { name: 'Remove prod' }).click();
  await canisters.dialog.getByRole('button', { name: 'Save' }).click();
  await expect(tags).toHaveText(['team: fruit']);
  // On a phone the menu is beside the id.
  await page.setViewportSize({ width: 390, height: 844 });
  await choose(page, 'Banana', 'Rename');
  await expect(canisters.dialog.getByLabel('Name')).toHaveValue('Banana');
});

test('a name and tags that are refused stay in their dialog, with the reason, and are saved by a second try', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Bakery');
  const canisters = new CanistersPage(page, product.url);
  const { dialog } = canisters;
  const reason = 'Another change is being saved.';
  const told = page.locator('[data-kind=error]').filter({ hasText: reason });
  await canisters.open();
  for (const address of ['rename', 'tags'])
    await failCalls(page, `**/api/canister/${address}`, 409, { error: reason });

  await choose(page, 'Bakery', 'Rename');
  await dialog.getByLabel('Name').fill('Mill');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('The canister was not renamed');
  await expect(dialog.getByRole('alert')).toContainText(reason);
  await expect(told).toHaveCount(1);
  await expect(dialog.getByLabel('Name')).toHaveValue('Mill');
  expect(await violationsOf(page)).toEqual([]);
  await page.unroute('**/api/canister/rename');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(dialog).toBeHidden();
  await expect(canisters.table.cell('Canister Name')).toHaveText(['Mill']);
  await expect(told).toHaveCount(0);

  await choose(page, 'Mill', 'Tags');
  await dialog.getByLabel('Add a tag').fill('flour');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The tags were not saved');
  await expect(dialog.getByRole('alert')).toContainText(reason);
  await expect(told).toHaveCount(1);
  await expect(dialog.getByRole('list', { name: 'Its tags' })).toHaveText('flour');
  await page.unroute('**/api/canister/tags');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('link', { name: 'flour' })).toBeVisible();
});

test('[CAN-03] canisters are selected by mouse and keyboard, and stopped, topped up and tagged together', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const ids: string[] = [];
  for (const name of ['E', 'D', 'C', 'B', 'A'])
    ids.unshift(await createCanister(user.api, `Canister ${name}`));
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const box = (name: string) => page.getByRole('checkbox', { name: `Select Canister ${name}`, exact: true });
  const bar = page.getByRole('region', { name: 'Selected canisters' });
  await canisters.table.expectHeadings('Canister ID', 'Canister Name', 'Cycles', 'Status', 'Created At');
  await expect(bar).toHaveCount(0);
  await box('A').click();
  await box('C').click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 selected');
  await page.keyboard.press('ArrowDown');
  await expect(box('D')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(bar).toContainText('4 selected');
  await page.keyboard.press('Space');
  await expect(bar).toContainText('3 selected');
  await expect(page).toHaveURL(`${product.url}/ics/canisters`);
  expect(await violationsOf(page)).toEqual([]);

  // One of them goes while it is selected, so that one of three fails.
  await user.api.call('POST', '/canister/stop', { canister_id: ids[1] });
  await page.route('**/api/canister/stop', async (route) => {
    const { canister_id: id } = route.request().postDataJSON() as { canister_id: string };
    if (id === ids[1])
      return route.fulfill({
        status: 409,
        json: { error: 'Another action is running on this canister.', code: 'canister_busy' },
      });
    return route.continue();
  });
  await bar.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(bar.getByRole('list', { name: 'What has failed' }).getByRole('listitem')).toHaveText([
    'Canister BAnother action is running on this canister.',
  ]);
  await expect(bar).toContainText('1 selected');
  await page.unroute('**/api/canister/stop');
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expect(bar).toHaveCount(0);
  for (const name of ['A', 'B', 'C'])
    await expect(canisters.table.cell('Status', canisters.table.row(`Canister ${name}`))).toHaveText(
      'stopped',
    );

  await box('A').click();
  await bar.getByRole('button', { name: 'Select all 5' }).click();
  await bar.getByRole('button', { name: 'Add Cycles' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount in T cycles').fill('0.5');
  await expect(dialog).toContainText('5 × 0.5 T = 2.5 T');
  expect(await violationsOf(page)).toEqual([]);
  const calls = callsOf(page, 'POST', '/canister/topup');
  await dialog.getByRole('button', { name: 'Add 2.5 T' }).click();
  await expect(page.getByText('5 canisters topped up')).toBeVisible();
  const keys = calls.map((call) => call.headers()['idempotency-key']);
  expect([keys.length, new Set(keys).size, keys.includes(undefined)]).toEqual([5, 5, false]);
  await expect(bar).toHaveCount(0);

  await box('B').click();
  await box('D').click({ modifiers: ['Shift'] });
  await bar.getByRole('button', { name: 'Tags' }).click();
  await dialog.getByLabel('Add a tag').fill('night');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('3 canisters tagged')).toBeVisible();
  await expect(page.getByRole('link', { name: 'night' })).toHaveCount(3);
  await box('E').click();
  const search = page.getByRole('searchbox', { name: 'Search canisters' });
  await search.fill('Canister');
  await search.press('Escape');
  await expect(search, 'Escape is for the field that has the focus').toHaveValue('');
  await expect(bar).toContainText('1 selected');
  await box('E').focus();
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);
});

test('[CAN-03] who leaves the list while many are topped up finds the rest under way, can stop it, and takes none of it to the next session', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  for (const name of ['E', 'D', 'C', 'B', 'A']) await createCanister(user.api, `Canister ${name}`);
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const box = (name: string) => page.getByRole('checkbox', { name: `Select Canister ${name}`, exact: true });
  const bar = page.getByRole('region', { name: 'Selected canisters' });
  const held: (() => void)[] = [];
  await page.route('**/api/canister/topup', async (route) => {
    await new Promise<void>((go) => held.push(go));
    await route.continue();
  });
  const calls = callsOf(page, 'POST', '/canister/topup');
  const begin = async (): Promise<void> => {
    await box('A').click();
    await bar.getByRole('button', { name: 'Select all 5' }).click();
    await bar.getByRole('button', { name: 'Add Cycles' }).click();
    await page.getByRole('dialog').getByLabel('Amount in T cycles').fill('0.5');
    await page.getByRole('dialog').getByRole('button', { name: 'Add 2.5 T' }).click();
  };
  await begin();
  await expect.poll(() => held.length).toBe(3);
  await page.getByRole('link', { name: 'Registries', exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Add new registry' })).toBeVisible();
  await page.getByRole('link', { name: 'Canisters', exact: true }).first().click();
  await expect(bar.getByRole('progressbar', { name: 'Adding cycles to' })).toBeVisible();
  await page.getByRole('button', { name: 'Show as cards' }).click();
  await expect(bar).toContainText('0 of 5');
  await bar.getByRole('button', { name: 'Stop here' }).click();
  for (const go of held.splice(0)) go();
  await expect(page.getByText('3 canisters topped up')).toBeVisible();
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(box('A')).toBeVisible();
  expect(calls).toHaveLength(3);

  // What fails is told where the user is by then.
  await page.keyboard.press('Escape');
  await box('A').click();
  await page.route('**/api/canister/stop', (route) =>
    route.fulfill({ status: 409, json: { error: 'It is busy.', code: 'canister_busy' } }),
  );
  const stop = page.waitForRequest('**/api/canister/stop');
  await bar.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Show as cards' }).click();
  await stop;
  await expect(bar.getByRole('list', { name: 'What has failed' })).toContainText('It is busy.');
  await bar.getByRole('button', { name: 'Select none' }).click();
  await expect(bar).toHaveCount(0);
  await page.getByRole('button', { name: 'Show as table' }).click();

  await begin();
  await expect.poll(() => held.length).toBe(3);
  await page.getByRole('button', { name: 'profile menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  for (const go of held.splice(0)) go();
  await expect.poll(() => calls.length).toBe(6);
  await page.waitForTimeout(1_000);
  expect(calls, 'nothing more is begun').toHaveLength(6);
});

test('Ctrl+click and the middle button open a row in another tab', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await context.addInitScript((token) => localStorage.setItem('token', token), user.api.token);
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const cell = canisters.table.cell('Status', canisters.table.row('Bakery'));
  const ways = [() => cell.click({ modifiers: ['ControlOrMeta'] }), () => cell.click({ button: 'middle' })];
  for (const way of ways) {
    const opened = context.waitForEvent('page');
    await way();
    const tab = await opened;
    await expect(tab).toHaveURL(`${product.url}/ics/canister/${id}`);
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Bakery');
    await tab.close();
    await expect(page).toHaveURL(`${product.url}/ics/canisters`);
  }
  await cell.click();
  await expect(page).toHaveURL(`${product.url}/ics/canister/${id}`);
});

test('[CAN-13] the drawer has an address: Back closes it, a reload opens it again', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Boxed');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  await expect(page).toHaveURL(`${product.url}/ics/canisters?view=cards`);
  await canisters.openCard('Boxed');
  const panel = canisters.drawer('Boxed');
  await expect(panel).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/ics/canisters?view=cards&drawer=${id}`);
  await page.goBack();
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL(`${product.url}/ics/canisters?view=cards`);
  await page.goForward();
  await expect(panel).toBeVisible();
  await page.reload();
  await expect(panel).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL(`${product.url}/ics/canisters?view=cards`);
  await expect(canisters.cards).toHaveCount(1);
});

test('a page that was asleep shows what was recorded meanwhile, though its connection has died without a word', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await user.api.call('POST', '/canister/stop', { canister_id: id });
  // Nothing comes through the stream of news, and nothing says so.
  await page.route('**/api/live', () => new Promise(() => undefined));
  await page.clock.install();
  await page.goto(`${product.url}/ics/canister/${id}`);
  const newest = page
    .getByRole('table', { name: 'Logs', exact: true })
    .locator('tbody')
    .getByRole('row')
    .first();
  await expect(newest).toContainText('stopped');
  await user.api.call('POST', '/canister/start', { canister_id: id });
  await page.clock.runFor(5_000);
  await expect(newest).toContainText('stopped');
  // As when the lid of a laptop is opened again: the clock has gone on, and no timer has.
  await page.clock.fastForward(60_000);
  await expect(newest).toContainText('running');
});
