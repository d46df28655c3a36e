import { expect } from '@playwright/test';
import { test } from './exact-test.ts';
import { colourOf } from '../support/look.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { ProductTable } from '../pages/product-table.ts';

const T = 1_000_000_000_000;

test('[CAN-04] [CAN-06] cycles below and above 1 T sort as numbers, dates of any month as dates, and every status but running is orange', async ({
  page,
  service,
}) => {
  // As texts, '900,...' comes after '11,000,...', and '02/11/2024' before '11/02/2024'.
  service.addCanister({ name: 'jar', cycles: 2.5 * T, created_at: '2024-02-11T12:00:00.000Z' });
  const drop = { cycles: 0.9 * T, status: 'stopping', created_at: '2024-11-02T12:00:00.000Z' };
  service.addCanister({ name: 'drop', ...drop });
  const barrel = { cycles: 11 * T, status: 'paused', created_at: '2023-12-30T12:00:00.000Z' };
  service.addCanister({ name: 'barrel', ...barrel });
  const list = new CanistersPage(page, service.url);
  const { table } = list;
  await list.open();
  await table.expectSorting('Cycles', 'Canister Name', ['drop', 'jar', 'barrel']);
  await table.expectSorting('Created At', 'Canister Name', ['barrel', 'jar', 'drop']);
  const chip = (name: string) => table.row(name).locator('[data-tone]');
  expect(await colourOf(chip('jar'))).toBe('green');
  for (const name of ['barrel', 'drop']) expect(await colourOf(chip(name)), name).toBe('orange');

  service.addCanister({ name: 'lid', status: null });
  await list.open();
  await expect(table.cell('Status', table.row('lid'))).toHaveText('N/A');
  await list.showCards();
  const card = list.cards.filter({ hasText: 'lid' });
  await expect(card).toContainText('N/A');
  await expect(card.locator('[data-tone]')).toHaveCount(0);
});

test('[CAN-08] the pages of many canisters go on to the last one, whatever their size', async ({
  page,
  service,
}) => {
  for (let jar = 1; jar <= 26; jar += 1) service.addCanister({ name: `jar ${jar}` });
  const list = new CanistersPage(page, service.url);
  await list.open();
  await list.table.expectPages('10', 26);
  await list.table.expectPages('25', 26);
  await list.table.expectPages('5', 26);
});

test('[CAND-05] [CAND-06] [CAND-08] a canister that is stopping is red and can be started; each of its hashes shows', async ({
  page,
  service,
}) => {
  const { id } = service.addCanister({ name: 'Half', status: 'stopping', module_hash: ['aa11', '0xbb22'] });
  const canister = new CanisterPage(page);
  await page.goto(`${service.url}/ics/canister/${id}`);
  await expect(canister.status).toHaveText('stopping');
  expect(await colourOf(canister.status.locator('[data-tone]'))).toBe('red');
  await expect(canister.moduleHash.locator('span[title]')).toHaveText(['0xaa11', '0xbb22']);
  await canister.action('Run').click();
  await expect(canister.status).toHaveText('running');
  const actions = service.seen.map(({ call }) => call).filter((call) => /canister\/st(art|op)$/.test(call));
  expect(actions).toEqual(['POST /canister/start']);
});

test('[TX-02] amounts and balances below and above 1 T sort as numbers', async ({ page, service }) => {
  // As texts, '900,...' comes after '11,000,...'.
  const amounts = [2.5 * T, 0.9 * T, 11 * T];
  for (const amount of amounts) {
    const sums = { amount, balance_before: amount, balance_after: amount };
    service.transactions.push({ id: `t${amount}`, transaction_name: 'CYCLE_DEPOSIT', ...sums });
  }
  await page.goto(`${service.url}/ics/account`);
  const table = new ProductTable(page, 'Transactions');
  for (const heading of ['Amount', 'Balance Before', 'Balance After']) {
    await table.expectSorting(heading, heading, ['0.90 T', '2.50 T', '11.00 T']);
  }
});

test('[CAN-20] [VAL-06] a service that tells neither price nor balance: the dialogs say nothing of them, and work', async ({
  page,
  service,
}) => {
  service.instead.set('GET /getInsights', { status: 500, body: {} });
  service.addCanister({ name: 'Half' });
  const list = new CanistersPage(page, service.url);
  await list.open();
  await list.createButton.click();
  await expect(list.dialog).toContainText('A canister is paid for from the cycle balance of your account.');
  await expect(list.dialog.getByRole('status')).toHaveText('');
  await page.keyboard.press('Escape');
  await list.create('Whole');
  await expect(page.getByRole('region', { name: 'New canister' })).toContainText('Whole has no code yet.');

  await list.openRow('Half');
  const canister = new CanisterPage(page);
  await canister.action('Add Cycles').click();
  await expect(canister.topUpDialog.getByRole('status')).toHaveText('');
  await canister.topUpDialog.getByRole('button', { name: '5 T', exact: true }).click();
  await canister.topUpDialog.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(page.getByText('Cycles Added', { exact: true })).toBeVisible();
  const paid = service.seen.find(({ call }) => call === 'POST /canister/topup');
  expect(paid?.body).toMatchObject({ amount: 5 });
});

test('[CAN-27] a deploy in any other state, or in none, shows a spinner and no word', async ({
  page,
  service,
}) => {
  for (const status of ['SCHEDULED', 'PAUSED', null])
    service.addDeploy({ name: `Site ${status}` }, [{ status }]);
  const list = new CanistersPage(page, service.url);
  await list.open();
  await expect(list.dapps.cell('Status')).toHaveText(['', '', '']);
  await expect(list.dapps.cell('Status').locator('.animate-spin')).toHaveCount(3);
});
