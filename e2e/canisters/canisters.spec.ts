import { createApi, signIn } from '@cannery/dev-env';
import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { createCanister, stop, topUp } from '../support/canisters-of.ts';
import { colourOf, tableDate, textOrder } from '../support/look.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { createSite } from '../support/deploys.ts';
import { expect, test } from '../support/product.ts';

test('[CAN-10] [CAN-30] [VAL-01] [VAL-02] [VAL-03] [CAN-20] the empty state leads to the create dialog, which wants a name', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(
    page.getByText('Deploy your first Canister on Internet Computer', { exact: true }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Add Canister', exact: true }).click();
  const calls = callsOf(page, 'POST', '/canister/create');
  const { dialog } = canisters;
  const create = dialog.getByRole('button', { name: 'Create' });
  const error = dialog.getByText('Name is required', { exact: true });
  await create.click();
  await expect(error).toBeVisible();
  await expect(create).toBeDisabled();
  await dialog.getByLabel('Name').fill('x');
  await expect(error).toBeHidden();
  await expect(create).toBeEnabled();
  await dialog.getByLabel('Name').fill('');
  await expect(error).toBeVisible();
  await dialog.getByLabel('Name').fill('   ');
  await page.keyboard.press('Enter');
  await expect(error).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(calls).toHaveLength(0);

  await expect(page.getByText("You haven't deployed anything yet.", { exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Create DApp', exact: true }).click();
  await expect(page).toHaveURL(/\/ics\/deploy\/?\?type=STATIC_SITE$/);
});

test('[CAN-02] [CAN-21] [CAN-22] [ERR-03] [STATE-04] [STATE-05] a created canister stands on top of the table', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Older');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(page.getByRole('heading', { name: 'Canisters', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create New Canister', exact: true }).click();
  const { dialog } = canisters;
  await dialog.getByLabel('Name').fill('Newer');
  const release = await holdCalls(page, '**/api/canister/create');
  const countAgain = await holdCalls(page, '**/api/getInsights/*');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('img', { name: 'Working' })).toBeVisible();
  await expect(dialog.locator('button[type="submit"]'), '[VAL-03]').toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await release();
  const told = page.locator('[data-kind="success"]').getByText('Canister created!', { exact: true });
  await expect(told).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(canisters.table.rows.first()).toContainText('Newer');
  const account = page.getByRole('region', { name: 'Account Details' });
  await expect(account, 'before the service has counted again').toContainText('98.00 T');
  await expect(account).toContainText('Canisters2');
  await countAgain();
  await expect(account).toContainText('96.00 T');
  await expect(account).toContainText('Canisters2');
  await canisters.createButton.click();
  await expect(dialog.getByLabel('Name')).toHaveValue('');
});

test('[ERR-01] [CAN-21] a failed creation says why only for status 400, and resets the dialog', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  for (const [status, text] of [
    [400, 'The cellar is full.'],
    [409, 'Something went wrong'],
    [500, 'Something went wrong'],
  ] as const) {
    await page.unrouteAll();
    await failCalls(page, '**/api/canister/create', status, { error: 'The cellar is full.' });
    await canisters.create('Never');
    await expect(page.getByRole('alert')).toHaveText(text);
    await expect(page.getByRole('alert')).toBeHidden();
    await canisters.createButton.click();
    await expect(canisters.dialog.getByLabel('Name')).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(canisters.dialog).toBeHidden();
  }
  await expect(page.getByText('Deploy your first Canister on Internet Computer')).toBeVisible();
});

test('[VAL-04] long names and any characters are accepted and shown as they are', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const names = [`<b>Ünï</b> & "quotes" 🥫 ${'\u202b'}שלום`, 'long '.repeat(100).trim()];
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  for (const name of names) await canisters.create(name);
  await expect(canisters.table.cell('Canister Name')).toHaveText(names.toReversed());
  const stored = await user.api.call<{ name: string }[]>('GET', '/canister/list/');
  expect(stored.map(({ name }) => name)).toEqual(names.toReversed());
});

test('in the table a long name is cut, an id never wraps and is copied, a date tells how long ago', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const name = 'long name '.repeat(30).trim();
  const id = await createCanister(user.api, name);
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(canisters.table.cell('Canister Name').locator('[title]')).toHaveAttribute('title', name);
  const created = canisters.table.cell('Created At').locator('time');
  await created.hover();
  await expect(created).toHaveAttribute('title', /^just now$|ago$/);
  for (const width of [1440, 1200, 960, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const link = page.getByRole('link', { name: id });
    expect((await link.boundingBox())?.height, `${width}`).toBeLessThan(24);
    const [row, card] = await page.evaluate(() => {
      const element = document.querySelector('table');
      return [element?.scrollWidth ?? 0, element?.closest('section')?.clientWidth ?? 0];
    });
    expect(row, `${width}`).toBeLessThanOrEqual(card);
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy canister id' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id);
  await expect(page).toHaveURL(/\/ics\/canisters$/);
});

test('[CAN-03] [CAN-04] [CAN-05] [CAN-06] [CAN-07] [CAN-08] [CAN-09] [CONST-02] the table of canisters shows, sorts and pages', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const names = ['Banana', 'cherry', 'Apple', 'date 10', 'date 9', 'elder', 'fig'];
  const ids: string[] = [];
  for (const name of names) ids.push(await createCanister(user.api, name));
  const idOf = (name: string) => ids[names.indexOf(name)] ?? '';
  // 11.5 T stands after 2.5 T only when cycles sort as numbers.
  await topUp(user.api, idOf('Apple'), 9.5);
  await topUp(user.api, idOf('elder'), 0.5);
  await stop(user.api, idOf('cherry'));

  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const { table } = canisters;
  await table.expectHeadings('Canister ID', 'Canister Name', 'Cycles', 'Status', 'Created At');
  await table.expectPaging(names.length);

  const list = await user.api.call<{ name: string; cycles_exact: string; created_at: string }[]>(
    'GET',
    '/canister/list/',
  );
  for (const { name, cycles_exact, created_at } of list) {
    const exact = Number(cycles_exact).toLocaleString('en-US');
    const inT = (Number(cycles_exact) / 1e12).toFixed(2);
    await expect(table.cell('Cycles', table.row(name))).toHaveText(`${exact} ~ ${inT} T`);
    await expect(table.cell('Created At', table.row(name))).toHaveText(tableDate(created_at));
  }
  const chip = (name: string) => table.row(name).locator('[data-tone]');
  await expect(chip('cherry')).toHaveText('stopped');
  expect(await colourOf(chip('cherry'))).toBe('orange');
  await expect(chip('fig')).toHaveText('running');
  expect(await colourOf(chip('fig'))).toBe('green');

  const byName = ['Apple', 'Banana', 'cherry', 'date 9', 'date 10', 'elder', 'fig'];
  await table.expectSorting('Canister Name', 'Canister Name', byName);
  await table.expectSorting('Created At', 'Canister Name', names);
  await table.expectSorting('Canister ID', 'Canister ID', ids.toSorted(textOrder));
  await table.sortBy('Cycles');
  expect((await table.column('Canister Name')).slice(-2)).toEqual(['elder', 'Apple']);
  await table.sortBy('Cycles');
  expect((await table.column('Canister Name')).slice(0, 2)).toEqual(['Apple', 'elder']);
  await table.sortBy('Status');
  expect((await table.column('Status')).at(-1)).toBe('stopped');
  await table.sortBy('Status');
  expect((await table.column('Status'))[0]).toBe('stopped');

  for (const heading of ['Canister ID', 'Canister Name', 'Cycles', 'Status', 'Created At']) {
    await table.cell(heading, table.row('date 10')).click();
    await expect(page, heading).toHaveURL(`${product.url}/ics/canister/${idOf('date 10')}`);
    await page.goBack();
  }
});

test('[CAN-01] [CAN-32] [STATE-12] [CONST-03] a loader shows once; lists refresh every 5 s until the page is left', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'First');
  const canisters = new CanistersPage(page, product.url);
  const release = await holdCalls(page, '**/api/canister/list/*');
  const loader = page.getByText('Loading canisters and DApps');
  await canisters.open();
  await expect(loader).toBeAttached();
  await expect(page.getByRole('table')).toHaveCount(0);
  await release();
  await expect(canisters.table.row('First')).toBeVisible();
  await expect(loader).toHaveCount(0);

  const moments: number[] = [];
  const deploys: number[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/api/canister/list/') moments.push(Date.now());
    if (pathname === '/api/deploy') deploys.push(Date.now());
  });
  await createCanister(user.api, 'Second');
  await createSite(product, user, 'late-app');
  await expect(canisters.table.row('Second')).toBeVisible();
  await expect(canisters.dapps.row('late-app')).toBeVisible();

  // The next refresh is slow: what is shown stays, without a loader.
  const releaseRefresh = await holdCalls(page, '**/api/canister/list/*');
  await expect.poll(() => moments.length).toBeGreaterThan(1);
  await expect(canisters.table.row('Second')).toBeVisible();
  await expect(loader).toHaveCount(0);
  await releaseRefresh();
  await expect.poll(() => deploys.length).toBeGreaterThan(1);
  for (const [first = 0, second = 0] of [moments, deploys]) {
    expect(second - first).toBeGreaterThan(4800);
    expect(second - first).toBeLessThan(6500);
  }

  await page.getByRole('button', { name: new RegExp(user.name) }).click();
  await page.getByRole('menuitem', { name: 'Account', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Transactions' })).toBeVisible();
  const [lists, apps] = [moments.length, deploys.length];
  await page.waitForTimeout(6000);
  expect([moments.length, deploys.length]).toEqual([lists, apps]);
});

test('[CAN-11] [CAN-31] [ERR-04] [ERR-05] lists that cannot be loaded say so, once as a toast and in their place', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Usable');
  const canisters = new CanistersPage(page, product.url);
  const noCanisters = page.getByText('Cannot load canisters. Please try again later.', { exact: true });
  const noDapps = page.getByText('Cannot load DApps. Please try again later.', { exact: true });
  const failLists = async (...lists: readonly string[]) => {
    await page.unrouteAll();
    for (const list of lists) await failCalls(page, `**/api/${list}`, 500);
    await canisters.open();
  };
  const toast = (text: string) => page.locator('[data-kind="error"]', { hasText: text });

  await failLists('canister/list/*');
  await expect(toast('Error while fetching canister details')).toHaveCount(1);
  await expect(noCanisters).toBeVisible();
  await expect(page.getByText("You haven't deployed anything yet.")).toBeVisible();
  await canisters.showCards();
  await expect(page.getByRole('button', { name: 'Show as table' })).toBeVisible();
  await expect(noCanisters, 'also in the place of the cards').toBeVisible();

  await failLists('canister/list/*', 'deploy');
  await expect(toast('Error while fetching caniser & deploy details')).toHaveCount(1);
  await expect(noCanisters).toBeVisible();
  await expect(noDapps).toBeVisible();

  await failLists('deploy');
  await expect(toast('Error while fetching deploy details')).toHaveCount(1);
  await expect(noDapps).toBeVisible();
  await canisters.table.row('Usable').click();
  await expect(page).toHaveURL(`${product.url}/ics/canister/${id}`);

  await failLists('deploy');
  await expect(noDapps).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText("You haven't deployed anything yet.")).toBeVisible();
});

test('[AUTH-16] what belongs to another user is neither listed nor answered', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const stranger = createApi(product.url, await signIn(product.url, 'stranger'));
  const id = await createCanister(stranger, 'Private');
  await createSite(product, { name: 'stranger', api: stranger }, 'private-app');
  const foreign = await user.api.request('GET', `/canister/status/${id}`);
  const absent = await user.api.request('GET', '/canister/status/aaaaa-aa');
  expect(foreign).toEqual(absent);
  expect(foreign.status).toBe(404);
  await page.goto(`${product.url}/ics/canister/${id}`);
  await expect(page.getByText('Error while fetching canister details')).toBeVisible();
  await expect(page.getByText('Private')).toBeHidden();

  await new CanistersPage(page, product.url).open();
  await expect(page.getByText('Deploy your first Canister on Internet Computer')).toBeVisible();
  await expect(page.getByText("You haven't deployed anything yet.")).toBeVisible();
  await page.goto(`${product.url}/ics/account`);
  await expect(page.getByRole('table', { name: 'Transactions' })).toContainText('CYCLE DEPOSIT');
  await expect(page.getByRole('table', { name: 'Transactions' })).not.toContainText('CANISTER CREATE');
});
