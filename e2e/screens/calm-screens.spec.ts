import type { Page } from '@playwright/test';
import { callsOf, holdCalls } from '../support/calls.ts';
import { createCanister, emptyModule, installModule, topUp, wasmFile } from '../support/canisters-of.ts';
import { createSite, runDeploy } from '../support/deploys.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { ProductTable } from '../pages/product-table.ts';
import { expect, test } from '../support/product.ts';
import { addRegistry } from '../support/registries-of.ts';
import { untilQuiet } from '../support/until-quiet.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const headOf = (page: Page) => page.locator('main header').first();
const heightOf = async (page: Page) => Math.round((await headOf(page).boundingBox())?.height ?? 0);

test('[CAND-01] [CAND-02] [CAND-05] [CAND-09] the head of a canister is one strip, as tall while it is fetched', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await installModule(user.api, id, emptyModule);
  const canister = new CanisterPage(page);
  for (const [size, most] of [
    [DESK, 110],
    [PHONE, 340],
  ] as const) {
    await page.setViewportSize(size);
    const release = await holdCalls(page, `**/api/canister/status/${id}*`);
    await page.goto(`${product.url}/ics/canister/${id}`);
    await expect(page.getByText(`Fetching details (${id})`)).toBeVisible();
    const fetching = await heightOf(page);
    await release();
    await expect(canister.status).toHaveText('running');
    expect(await heightOf(page), `${size.width} px`).toBe(fetching);
    expect(fetching, `${size.width} px`).toBeLessThanOrEqual(most);
    for (const label of ['Cycles', 'Status', 'Module Hash', 'Last updated at']) {
      await expect(canister.fact(label)).toBeInViewport();
    }
    for (const action of ['Stop', 'Add Cycles', 'Install WASM'] as const) {
      await expect(canister.action(action)).toBeInViewport();
    }
    await expect(page.getByRole('link', { name: 'View in Candid UI' })).toBeInViewport();
  }
});

test('[CAND-09] installing is the main action only while there is no code', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  const looks = () =>
    Promise.all(
      (['Add Cycles', 'Install WASM'] as const).map((name) =>
        canister.action(name).evaluate((button) => getComputedStyle(button).backgroundColor),
      ),
    );
  await expect(canister.moduleHash).toHaveText('N/A');
  const [usual, main] = await looks();
  expect(main).not.toBe(usual);
  await canister.install(wasmFile(emptyModule));
  await expect(canister.moduleHash).toContainText('0x');
  await page.mouse.move(0, 0);
  await expect.poll(looks).toEqual([usual, usual]);
});

test('nothing jumps while lists, account, a canister and a deploy come', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await installModule(user.api, id, emptyModule);
  await topUp(user.api, id, 1);
  for (let place = 0; place < 5; place += 1) await createCanister(user.api, `Can ${place}`);
  await addRegistry(user.api, 'Counter', emptyModule);
  const site = await createSite(product, user, 'calm');
  expect(await runDeploy(user, site)).toBe('COMPLETED');
  for (const size of [DESK, PHONE]) {
    await page.setViewportSize(size);
    for (const [address, shown] of [
      [`/ics/canister/${id}`, 'Delete this canister'],
      ['/ics/canisters', 'Rows per page'],
      ['/ics/account', 'CANISTER CREATE'],
      ['/ics/registries', 'Counter'],
      [`/ics/deploy/${site}`, 'The site is live'],
    ] as const) {
      await page.goto(product.url + address);
      await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
      await untilQuiet(page);
      expect.soft(await layoutShift(page), `${address}, ${size.width} px`).toBeLessThanOrEqual(NOT_MOVED);
    }
  }
});

test('[VAL-05] [VAL-06] [API-38] a top-up tells what is left, offers usual amounts and sends no more than before', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Filled');
  for (let round = 0; round < 9; round += 1) await topUp(user.api, id, 10);
  await topUp(user.api, id, 7.4);
  const canister = new CanisterPage(page);
  const dialog = canister.topUpDialog;
  await page.goto(`${product.url}/ics/canister/${id}`);
  const calls = callsOf(page, 'POST', '/canister/topup');
  await canister.action('Add Cycles').click();
  await expect(dialog.getByText('Between 0.01 and 10 T')).toBeVisible();
  const left = dialog.getByRole('status');
  await expect(left).toHaveText('Your balance: 0.60 T, 0.40 T too little for this');
  const amounts = dialog.getByRole('group', { name: 'Usual amounts' });
  await expect(amounts.getByRole('button')).toHaveText(['0.1 T', '0.5 T', '1 T', '5 T']);
  await expect(amounts.getByRole('button', { name: '5 T', exact: true })).toBeDisabled();
  await amounts.getByRole('button', { name: '0.5 T' }).click();
  await expect(canister.amount).toHaveValue('0.5');
  await expect(amounts.getByRole('button', { pressed: true })).toHaveText('0.5 T');
  await expect(left).toHaveText('Your balance: 0.60 T, 0.10 T after this');
  await canister.amount.fill('0');
  await expect(left).toHaveText('Your balance: 0.60 T');
  await canister.amount.press('Enter');
  await expect(dialog.getByText('Invalid Amount')).toBeVisible();
  await amounts.getByRole('button', { name: '0.5 T' }).click();
  await expect(dialog.getByText('Invalid Amount')).toBeHidden();
  await dialog.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(page.getByText('Cycles Added')).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ canister_id: id, amount: 0.5 }]);
});

test('[CAN-20] [API-38] the create dialog tells the price and what is left; then the page offers to install code or to open', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Older');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const calls = callsOf(page, 'POST', '/canister/create');
  await canisters.createButton.click();
  await expect(canisters.dialog).toContainText('A canister costs 2.00 T');
  await expect(canisters.dialog.getByRole('status')).toHaveText('Your balance: 98.00 T, 96.00 T after this');
  await page.keyboard.press('Escape');
  await canisters.create('Newer');
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ name: 'Newer' }]);

  const offer = page.getByRole('region', { name: 'New canister' });
  await expect(offer).toContainText('Newer has no code yet.');
  await offer.getByRole('button', { name: 'Install code' }).click();
  const canister = new CanisterPage(page);
  await expect(canister.installDialog).toContainText('Into Newer');
  await canister.chooseFile(wasmFile(emptyModule));
  await canister.confirmInstall();
  await expect(page.getByText('Installed!')).toBeVisible();
  await expect(offer).toContainText('Newer has its code.');
  await expect(offer.getByRole('button', { name: 'Install code' })).toHaveCount(0);
  await offer.getByRole('link', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Newer' })).toBeVisible();
  await page.goBack();
  await expect(canisters.table.row('Newer')).toBeVisible();
  await expect(offer, 'once it was followed').toHaveCount(0);
  await canisters.create('Newest');
  await expect(offer).toContainText('Newest has no code yet.');
  await offer.getByRole('button', { name: 'Not now' }).click();
  await expect(offer).toHaveCount(0);
});

test('[CAN-03] [TX-01] on a phone a row begins with its name and state, repeats no labels and keeps every value', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await page.setViewportSize(PHONE);
  const boxes = async (table: ProductTable, heading: string) => {
    const cell = table.cell(heading, table.rows.first());
    await expect(cell, heading).toBeInViewport();
    const box = await cell.boundingBox();
    if (box === null) throw new Error(`${heading} is not shown.`);
    expect(box.x + box.width, heading).toBeLessThanOrEqual(PHONE.width);
    return box;
  };
  const shownLabels = (table: ProductTable) =>
    table.rows.first().evaluate((row) =>
      [...row.querySelectorAll('td')]
        .map((cell) => getComputedStyle(cell, '::before'))
        .filter(({ position }) => position !== 'absolute')
        .map(({ content }) => content),
    );

  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const { table } = canisters;
  await expect(table.row('Bakery')).toContainText(id);
  const name = await boxes(table, 'Canister Name');
  const state = await boxes(table, 'Status');
  expect(Math.abs(name.y + name.height / 2 - (state.y + state.height / 2))).toBeLessThan(4);
  for (const heading of ['Canister ID', 'Cycles', 'Created At']) {
    expect((await boxes(table, heading)).y, heading).toBeGreaterThan(name.y);
  }
  expect(await shownLabels(table)).toEqual([]);
  expect((await table.rows.first().boundingBox())?.height).toBeLessThanOrEqual(110);

  await page.goto(`${product.url}/ics/account`);
  const transactions = new ProductTable(page, 'Transactions');
  await expect(transactions.row('CANISTER CREATE')).toBeVisible();
  await transactions.rows.first().scrollIntoViewIfNeeded();
  const movement = await boxes(transactions, 'Transaction Name');
  for (const heading of ['Transaction Type', 'Amount']) {
    expect((await boxes(transactions, heading)).y, heading).toBeLessThan(movement.y + movement.height);
  }
  for (const heading of ['Balance Before', 'Balance After', 'Canister id', 'Created At']) {
    expect((await boxes(transactions, heading)).y, heading).toBeGreaterThan(movement.y);
  }
  expect(await shownLabels(transactions)).toEqual(['"Balance"', '"to"']);
});

test('a window that narrows is right before the script has noticed', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Bakery');
  // As in the moment between the two, which lasts as long as the machine is busy.
  await page.addInitScript(() => {
    MediaQueryList.prototype.addEventListener = () => undefined;
  });
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(canisters.table.row('Bakery')).toBeVisible();
  await page.setViewportSize(PHONE);
  const [table, place] = await canisters.table.table.evaluate((element) => [
    element.scrollWidth,
    element.closest('section')?.clientWidth ?? 0,
  ]);
  expect(place).toBeGreaterThan(PHONE.width * 0.9);
  expect(table).toBeLessThanOrEqual(place);
});
