import { createApi, signIn } from '@cannery/dev-env';
import { failCalls, holdCalls } from '../support/calls.ts';
import { createCanister, topUp } from '../support/canisters-of.ts';
import { colourOf, tableDate, textOrder } from '../support/look.ts';
import { ProductTable } from '../pages/product-table.ts';
import { Toasts } from '../pages/toasts.ts';
import { expect, test } from '../support/product.ts';

interface Movement {
  readonly transaction_name: string;
  readonly amount: number;
  readonly balance_before: number;
  readonly balance_after: number;
  readonly created_at: string;
}

const inT = (cycles: number) => `${(cycles / 1e12).toFixed(2)} T`;

test('[ACC-02] [ACC-03] [TX-01] [TX-02] [TX-03] [TX-04] [TX-05] [TX-06] [TX-07] [TX-09] [CONST-02] the account shows insights and the history of its cycles', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const first = await createCanister(user.api, 'First');
  const second = await createCanister(user.api, 'Second');
  await topUp(user.api, first, 10);
  await topUp(user.api, second, 0.5);
  await topUp(user.api, second, 3.25);
  const history = await user.api.call<Movement[]>('GET', '/transactions/');

  await page.goto(`${product.url}/ics/account`);
  const insights = page.getByRole('main').locator('dl').first();
  await expect(insights).toContainText('82.25 T');
  await expect(insights).toContainText('Canisters2');
  await expect(page.getByRole('main')).toContainText(`@${user.name}`);

  await expect(page.getByRole('heading', { name: 'Transactions' })).toBeVisible();
  const table = new ProductTable(page, 'Transactions');
  await table.expectHeadings(
    'Transaction Name',
    'Transaction Type',
    'Amount',
    'Balance Before',
    'Balance After',
    'Canister id',
    'Created At',
  );
  await table.expectPaging(6);
  await expect(table.cell('Transaction Name')).toHaveText([
    'CANISTER TOPUP',
    'CANISTER TOPUP',
    'CANISTER TOPUP',
    'CANISTER CREATE',
    'CANISTER CREATE',
    'CYCLE DEPOSIT',
  ]);
  await expect(table.cell('Amount')).toHaveText(history.map(({ amount }) => inT(amount)));
  await expect(table.cell('Balance Before')).toHaveText(history.map((entry) => inT(entry.balance_before)));
  await expect(table.cell('Balance After')).toHaveText(history.map((entry) => inT(entry.balance_after)));
  await expect(table.cell('Canister id')).toHaveText([second, second, first, second, first, 'N/A']);
  await expect(table.cell('Created At')).toHaveText(history.map((entry) => tableDate(entry.created_at)));
  await expect(table.cell('Amount')).toHaveText([
    '3.25 T',
    '0.50 T',
    '10.00 T',
    '2.00 T',
    '2.00 T',
    '100.00 T',
  ]);

  const chips = table.cell('Transaction Type').locator('[data-tone]');
  await expect(chips).toHaveText(['DEBIT', 'DEBIT', 'DEBIT', 'DEBIT', 'DEBIT', 'CREDIT']);
  expect(await colourOf(chips.first())).toBe('red');
  expect(await colourOf(chips.last())).toBe('green');

  const sums = history.map(({ amount }) => amount).toSorted((a, b) => a - b);
  await table.expectSorting('Amount', 'Amount', sums.map(inT));
  for (const [heading, field] of [
    ['Balance Before', 'balance_before'],
    ['Balance After', 'balance_after'],
  ] as const) {
    const values = history.map((entry) => entry[field]).toSorted((a, b) => a - b);
    await table.expectSorting(heading, heading, values.map(inT));
  }
  await table.expectSorting(
    'Created At',
    'Balance After',
    history.toReversed().map((entry) => inT(entry.balance_after)),
  );
  await table.sortBy('Transaction Name');
  expect((await table.column('Transaction Name')).at(-1)).toBe('CYCLE DEPOSIT');
  await table.sortBy('Transaction Name');
  expect((await table.column('Transaction Name'))[0]).toBe('CYCLE DEPOSIT');
  await table.sortBy('Transaction Type');
  expect((await table.column('Transaction Type'))[0]).toBe('CREDIT');
  await table.sortBy('Canister id');
  expect((await table.column('Canister id')).slice(0, -1)).toEqual(
    [first, first, second, second, second].toSorted(textOrder),
  );

  const rich = { balance: 12_345_670_000_000_000, total_canisters: 1234 };
  await page.route('**/api/getInsights/*', (route) => route.fulfill({ json: rich }));
  await page.reload();
  await expect(insights).toContainText('12345.67 T');
  await expect(insights).toContainText('Canisters1234');
});

test('[TX-04] [TX-05] a type that is not CREDIT is red, whatever it is, and an unknown name is N/A', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const fee = { id: 'fee', transaction_name: 'FEE', transaction_type: 'HOLD', amount: 1e12 };
  await page.route('**/api/transactions/*', (route) => route.fulfill({ json: [fee] }));
  await page.goto(`${product.url}/ics/account`);
  const table = new ProductTable(page, 'Transactions');
  await expect(table.cell('Transaction Name')).toHaveText(['N/A']);
  const chip = table.cell('Transaction Type').locator('[data-tone]');
  await expect(chip).toHaveText('HOLD');
  expect(await colourOf(chip)).toBe('red');
});

test('[TX-08] [ACC-04] [NAV-21] what cannot be read shows as empty and N/A; the page stays usable', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  const toasts = new Toasts(page);
  await toasts.watch();
  for (const fail of [500, 503, 'unreachable'] as const) {
    for (const path of ['transactions', 'getInsights']) {
      await page.route(`**/api/${path}/*`, (route) =>
        fail === 'unreachable' ? route.abort() : route.fulfill({ status: fail, json: {} }),
      );
    }
    await page.goto(`${product.url}/ics/account`);
    await expect(page.getByText('No Transactions To Show', { exact: true })).toBeVisible();
    const main = page.getByRole('main').locator('dd');
    await expect(main, String(fail)).toHaveText(['N/A', 'N/A']);
    const sidebar = page.getByRole('region', { name: 'Account Details' }).locator('dd');
    await expect(sidebar, String(fail)).toHaveText(['N/A', 'N/A']);
    await page.getByRole('button', { name: 'Close sidebar' }).click();
    const collapsed = page.getByRole('region', { name: 'Account Details' }).getByRole('button');
    await expect(collapsed, String(fail)).toHaveText(['N/A', 'N/A']);
    expect(await toasts.texts()).toEqual([]);
    await page.unrouteAll();
  }
  await page.route('**/api/transactions/*', (route) => route.fulfill({ json: [] }));
  await page.reload();
  await expect(page.getByText('No Transactions To Show', { exact: true })).toBeVisible();
  await page.unrouteAll();
  await failCalls(page, '**/api/getInsights/*', 500);
  await page.reload();
  const history = new ProductTable(page, 'Transactions');
  await expect(history.cell('Transaction Name').first(), 'which can be read').toBeVisible();
  await expect(page.getByRole('main').locator('dd')).toHaveText(['N/A', 'N/A']);
  await page.unrouteAll();
  const release = await holdCalls(page, '**/api/getInsights/*');
  await page.reload();
  const details = page.getByRole('region', { name: 'Account Details' });
  await expect(details, 'N/A before the first answer would say that there is nothing').toHaveText(
    'Account DetailsBalanceCanisters',
  );
  await release();
  await expect(details).toContainText('100.00 T');
  await page.getByRole('link', { name: 'Canisters', exact: true }).click();
  await expect(page.getByText('Deploy your first Canister on Internet Computer')).toBeVisible();
});

test('[ERR-15] a failing profile signs out, failing repositories ask to connect, an unknown route is a 404', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await failCalls(page, '**/api/deploy/repos*', 500);
  await page.goto(`${product.url}/ics/deploy`);
  await expect(page.getByText('Connect a repository')).toBeVisible();
  await page.goto(`${product.url}/ics/unknown`);
  await expect(page.getByText("Oops. Looks like the page you're looking for no longer exists")).toBeVisible();
  await failCalls(page, '**/api/user/profile*', 500);
  await page.goto(`${product.url}/ics/account`);
  await expect(page).toHaveURL(`${product.url}/login`);
});

test('[AUTH-14] sessions are listed, end one by one, and all at once', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const other = createApi(product.url, await signIn(product.url, user.name));
  await page.goto(`${product.url}/ics/account`);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').filter({ hasText: 'This browser' })).toHaveCount(1);
  await sessions.getByRole('button', { name: 'End session' }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  expect((await other.request('GET', '/user/profile')).status).toBe(401);
  expect((await user.api.request('GET', '/user/profile')).status).toBe(200);

  await sessions.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(`${product.url}/login`);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  expect((await user.api.request('GET', '/user/profile')).status).toBe(401);
});
