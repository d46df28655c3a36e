import { CanisterPage } from './pages/canister-page.ts';
import { CanistersPage } from './pages/canisters-page.ts';
import { expect, test } from './product.ts';

test('[CAN-10] [VAL-01] [VAL-02] [CAN-20] the empty state leads to the create dialog, which wants a name', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(page.getByText('Deploy your first Canister on Internet Computer')).toBeVisible();
  await expect(page.getByText("You haven't deployed anything yet."), '[CAN-30]').toBeVisible();
  await page.getByRole('button', { name: 'Add Canister' }).click();
  let calls = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/canister/create')) calls += 1;
  });
  await canisters.dialog.getByRole('button', { name: 'Create' }).click();
  await expect(canisters.dialog.getByText('Name is required')).toBeVisible();
  await canisters.dialog.getByLabel('Name').fill('x');
  await expect(canisters.dialog.getByText('Name is required')).toBeHidden();
  await canisters.dialog.getByLabel('Name').fill('');
  await expect(canisters.dialog.getByText('Name is required')).toBeVisible();
  await canisters.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(canisters.dialog).toBeHidden();
  expect(calls).toBe(0);
});

test('[CAN-03] [CAN-05] [CAN-07] [STATE-04] [STATE-05] [CAN-21] a created canister stands on top of the table', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await user.api.call('POST', '/canister/create', { name: 'Older' });
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await expect(canisters.row('Older')).toBeVisible();
  for (const heading of ['Canister ID', 'Canister Name', 'Cycles', 'Status', 'Created At']) {
    await expect(page.getByRole('columnheader', { name: heading, exact: true }).first()).toBeVisible();
  }
  await canisters.create('Newer');
  await expect(page.getByText('Canister created!')).toBeVisible();
  const first = page.getByRole('table').first().getByRole('row').nth(1);
  await expect(first).toContainText('Newer');
  await expect(first).toContainText(/~ \d+\.\d\d T/);
  await expect(first).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d (AM|PM)/);
  await expect(page.getByRole('complementary')).toContainText('2');
});

test('[CAND-05] [CAND-08] [CAND-18] [VAL-06] [TX-09] status, stop, start and top-up on the canister page', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { data } = await user.api.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Worker',
  });
  await page.goto(`${product.url}/ics/canister/${data.canister_id}`);
  const canister = new CanisterPage(page);
  await expect(canister.status).toHaveText(/running/i);
  await expect(canister.moduleHash, '[CAND-06]').toHaveText('N/A');

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(canister.status).toHaveText(/stopped/i);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(canister.status).toHaveText(/running/i);

  await page.getByRole('button', { name: 'Add Cycles' }).click();
  const amount = canister.dialog
    .getByRole('spinbutton')
    .or(canister.dialog.getByLabel(/amount/i))
    .first();
  await amount.fill('11');
  await canister.dialog.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(canister.dialog.getByText('Invalid Amount')).toBeVisible();
  await amount.fill('1.239');
  await canister.dialog.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(page.getByText('Cycles Added')).toBeVisible();
  await expect(canister.fact('Cycles')).toContainText('3.23 T');

  await page.goto(`${product.url}/ics/account`);
  const table = page.getByRole('table');
  await expect(table).toContainText('CANISTER TOPUP');
  await expect(table).toContainText('CANISTER CREATE');
  await expect(table).toContainText('CYCLE DEPOSIT');
  await expect(table.getByRole('row').filter({ hasText: 'CANISTER TOPUP' })).toContainText('1.23');
});

test('[AUTH-16] a canister of another user answers like an absent one', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const { createApi, signIn } = await import('@cannery/dev-env');
  const stranger = createApi(product.url, await signIn(product.url, 'stranger'));
  const { data } = await stranger.call<{ data: { canister_id: string } }>('POST', '/canister/create', {
    name: 'Private',
  });
  const foreign = await user.api.request('GET', `/canister/status/${data.canister_id}`);
  const absent = await user.api.request('GET', '/canister/status/aaaaa-aa');
  expect(foreign).toEqual(absent);
  expect(foreign.status).toBe(404);
  await page.goto(`${product.url}/ics/canister/${data.canister_id}`);
  await expect(page.getByText('Error while fetching canister details')).toBeVisible();
  await expect(page.getByText('Private')).toBeHidden();
});
