import { callsOf, failCalls, holdCalls } from '../support/calls.ts';
import { createCanister, emptyModule, start, stop, topUp, wasmFile } from '../support/canisters-of.ts';
import { colourOf } from '../support/look.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';

test('[CAN-06] [CAN-12] cards take the place of the table; their left edges cycle through six colours', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await stop(user.api, await createCanister(user.api, 'Card 7'));
  for (let card = 6; card >= 1; card -= 1) await createCanister(user.api, `Card ${card}`);
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(canisters.table.table).toBeVisible();
  await canisters.showCards();
  await expect(canisters.table.table).toHaveCount(0);
  await expect(canisters.cards).toHaveCount(7);
  for (let card = 1; card <= 7; card += 1) {
    await expect(canisters.cards.nth(card - 1)).toContainText(`Card ${card}`);
  }
  const colours = await canisters.cards.evaluateAll((cards) =>
    cards.map((card) => getComputedStyle(card, '::before').backgroundColor),
  );
  expect(colours).not.toContain('rgba(0, 0, 0, 0)');
  expect(new Set(colours.slice(0, 6)).size).toBe(6);
  expect(colours[6]).toBe(colours[0]);
  expect(await colourOf(canisters.cards.first().locator('[data-tone]'))).toBe('green');
  expect(await colourOf(canisters.cards.last().locator('[data-tone]'))).toBe('orange');
});

test('[CAN-13] [CAN-14] [CAN-15] [CAN-16] [VAL-09] a card opens the drawer: stop, start, top-up, install, query page', async ({
  page,
  context,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Boxed');
  await createCanister(user.api, 'Beside');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  const drawer = await canisters.openCard('Boxed');
  const panel = canisters.drawer('Boxed');
  await expect(panel).toContainText(id);
  const rightEdge = async () => {
    const box = await panel.boundingBox();
    return Math.round((box?.x ?? 0) + (box?.width ?? 0));
  };
  await expect.poll(rightEdge).toBe(1440);

  await expect(drawer.status).toHaveText('running');
  await expect(drawer.action('Start')).toHaveCount(0);
  // The action itself brings the new status, not the next refresh of the list.
  const release = await holdCalls(page, '**/api/canister/list/*');
  await drawer.action('Stop').click();
  await expect(drawer.status).toHaveText('stopped');
  expect(await user.api.call('GET', `/canister/status/${id}?real_time=true`)).toMatchObject({
    status: 'stopped',
  });
  await expect(drawer.action('Stop')).toHaveCount(0);
  await drawer.action('Start').click();
  await expect(drawer.status).toHaveText('running');
  await release();

  const calls = callsOf(page, 'POST', '/canister/topup');
  for (const wrong of ['', '0.009', '10.01', '11']) {
    await drawer.topUp(wrong);
    await expect(drawer.topUpDialog.getByText('Invalid Amount'), wrong).toBeVisible();
  }
  expect(calls).toHaveLength(0);
  await drawer.topUp('1.239');
  await expect(page.getByText('Cycles Added')).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toMatchObject([{ canister_id: id, amount: 1.23 }]);
  await expect(drawer.fact('Cycles')).toContainText('3.23 T');

  await drawer.chooseFile({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
  await expect(page.getByText('Invalid file format. Only WASM allowed.')).toBeVisible();
  await drawer.install(wasmFile(emptyModule));
  await expect(page.getByText('Installed!')).toBeVisible();
  await expect(drawer.moduleHash).toContainText('0x');

  const opened = context.waitForEvent('page');
  await panel.getByRole('link', { name: 'Query Canister' }).click();
  expect(new URL((await opened).url()).searchParams.get('id')).toBe(id);
});

test('[CAN-13] of canisters that share a name each card opens its own', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const ids = [await createCanister(user.api, 'Twin'), await createCanister(user.api, 'Twin')];
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  for (const [place, id] of ids.toReversed().entries()) {
    await canisters.cards.nth(place).click();
    await expect(canisters.drawer('Twin')).toContainText(id);
    await page.keyboard.press('Escape');
    await expect(canisters.drawer('Twin')).toHaveCount(0);
  }
});

test('[CAN-17] [CAN-18] [CAN-19] [AUTH-17] [STATE-06] only a stopped canister can be deleted, after a confirmation', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Doomed');
  await createCanister(user.api, 'Spared');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  const drawer = await canisters.openCard('Doomed');
  const panel = canisters.drawer('Doomed');
  const remove = panel.getByRole('button', { name: 'Delete' });
  await expect(remove).toBeDisabled();
  await expect(panel.getByText('Canister must be stopped first.')).toBeVisible();
  await drawer.action('Stop').click();
  await expect(panel.getByText('Canister must be stopped first.')).toBeHidden();

  const calls = callsOf(page, 'POST', '/canister/delete');
  const confirmation = page.getByRole('dialog', {
    name: 'Are you sure you want to delete this canister?',
    exact: true,
  });
  await remove.click();
  await expect(confirmation).toContainText(
    'This is irreversible action. All the content of this canister will be deleted.',
  );
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation).toBeHidden();
  await remove.click();
  await page.keyboard.press('Escape');
  await expect(confirmation).toBeHidden();
  expect(calls).toHaveLength(0);

  await remove.click();
  // The deletion itself takes the card away, not the next refresh of the list.
  const release = await holdCalls(page, '**/api/canister/list/*');
  await confirmation.getByRole('button', { name: 'Delete' }).click();
  await expect(confirmation).toBeHidden();
  await expect(panel).toBeHidden();
  await expect(canisters.cards).toHaveCount(1);
  await expect(canisters.cards).toContainText('Spared');
  const refreshed = page.waitForResponse('**/api/canister/list/*');
  await release();
  await refreshed;
  await expect(canisters.cards).toHaveCount(1);
  expect((await user.api.request('GET', `/canister/status/${id}`)).status).toBe(404);
});

test('[CAN-17] [CAN-14] [ENT-03] a canister that is neither running nor stopped can be started, not deleted', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const ending = { id: 'aaaaa-aa', name: 'Ending', cycles: 1, status: 'stopping' };
  await page.route('**/api/canister/list/*', (route) => route.fulfill({ json: [ending] }));
  await page.route('**/api/canister/start', (route) => {
    ending.status = 'running';
    return route.fulfill({ json: {} });
  });
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  const drawer = await canisters.openCard('Ending');
  await expect(drawer.status).toHaveText('stopping');
  await expect(drawer.action('Start')).toBeEnabled();
  const panel = canisters.drawer('Ending');
  await expect(panel.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await expect(panel.getByText('Canister must be stopped first.')).toBeVisible();
  await drawer.action('Start').click();
  await expect(drawer.status).toHaveText('running');
  await expect(drawer.action('Stop')).toBeVisible();
});

test('a deletion that the service refuses shows its reason; canister and drawer stay', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Revived');
  await stop(user.api, id);
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  await canisters.openCard('Revived');
  await canisters.drawer('Revived').getByRole('button', { name: 'Delete' }).click();
  // Another tab starts it while the question is on screen.
  await start(user.api, id);
  await page
    .getByRole('dialog', { name: /Are you sure/ })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.locator('[data-kind="error"]')).toContainText('Canister must be stopped first.');
  await expect(canisters.drawer('Revived')).toBeVisible();
  await expect(canisters.drawer('Revived')).toContainText('running');
});

test('[ERR-06] [ERR-03] [VAL-01] [CAN-02] creation beside the cards: own wording, and the reason whatever the status', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.showCards();
  await expect(page.getByRole('button', { name: 'Create Canister', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create new canister', exact: true })).toBeVisible();
  const calls = callsOf(page, 'POST', '/canister/create');
  await canisters.createButton.click();
  await page.keyboard.press('Enter');
  await expect(canisters.dialog.getByText('Name is required', { exact: true })).toBeVisible();
  await canisters.dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(calls).toHaveLength(0);

  await failCalls(page, '**/api/canister/create', 503, { error: 'The cellar is full.' });
  await canisters.create('Never');
  await expect(page.getByRole('alert')).toContainText('The cellar is full.');
  await page.unrouteAll();
  await canisters.create('Carded');
  const told = page.locator('[data-kind="success"]').getByText('Canister Created!', { exact: true });
  await expect(told).toBeVisible();
  await expect(canisters.cards).toContainText('Carded');
});

test('[ERR-07] a top-up above the balance is refused in red with the reason', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Thirsty');
  for (let round = 0; round < 9; round += 1) await topUp(user.api, id, 10);
  await page.goto(`${product.url}/ics/canisters`);
  const canisters = new CanistersPage(page, product.url);
  await canisters.showCards();
  const drawer = await canisters.openCard('Thirsty');
  const toast = page.locator('[data-kind="error"]');
  const refused = await user.api.request('POST', '/canister/topup', { canister_id: id, amount: 10 });
  await drawer.topUp('10');
  await expect(toast).toContainText((refused.body as { error: string }).error);
  await expect(toast).toBeHidden();
  await expect(drawer.topUpDialog).toBeVisible();

  await page.route('**/api/canister/topup', (route) => route.abort());
  await drawer.topUp('1');
  await expect(toast).toContainText('Something went wrong. Try again later');
  await expect(toast).toBeHidden();
  await page.unrouteAll();
  await drawer.topUp('1');
  await expect(page.getByText('Cycles Added')).toBeVisible();
});
