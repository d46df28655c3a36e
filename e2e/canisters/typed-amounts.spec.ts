import { callsOf } from '../support/calls.ts';
import { createCanister } from '../support/canisters-of.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { expect, test } from '../support/product.ts';

test('[CAND-18] [VAL-05] [VAL-06] an amount is paid as typed and shown, also with a decimal comma, or not at all', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Paid as typed');
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  const calls = callsOf(page, 'POST', '/canister/topup');
  await canister.action('Add Cycles').click();
  const dialog = canister.topUpDialog;
  const type = async (typed: string): Promise<void> => {
    await canister.amount.press('ControlOrMeta+a');
    await canister.amount.pressSequentially(typed);
    await expect(canister.amount).toHaveValue(typed);
  };

  for (const wrong of ['1,000', '1 0', '1e1', '+5', '-0,5', '\uff15', '0,0,1', "1'0", '1.', '5 T']) {
    await type(wrong);
    await canister.amount.press('Enter');
    await expect(dialog.getByText('Invalid Amount'), wrong).toBeVisible();
    await expect(dialog.getByText(/^Write /), wrong).toBeVisible();
    await expect(canister.amount).toHaveValue(wrong);
  }
  expect(calls).toHaveLength(0);

  for (const [typed, note] of [
    ['0,5', 'Adds 0.5 T of your 98.00 T'],
    ['1,5', 'Adds 1.5 T of your 98.00 T'],
    ['1.239', 'Adds 1.23 T of your 98.00 T'],
    ['0,01', 'Adds 0.01 T of your 98.00 T'],
  ] as const) {
    await type(typed);
    await expect(dialog.getByText(note, { exact: true })).toBeVisible();
  }
  await dialog.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(page.getByText('Cycles Added', { exact: true })).toBeVisible();
  expect(calls.map((call) => call.postDataJSON())).toEqual([{ canister_id: id, amount: 0.01 }]);
  await expect(canister.fact('Cycles')).toContainText('2.01 T');
  await expect(page.getByRole('region', { name: 'Account Details' })).toContainText('97.99 T');

  // The steps of the field, by the keyboard.
  await canister.action('Add Cycles').click();
  await canister.amount.press('ArrowUp');
  await expect(canister.amount).toHaveValue('1.1');
  await type('0,15');
  await canister.amount.press('ArrowDown');
  await expect(canister.amount).toHaveValue('0.1');
});

test('a setting of a canister is saved as typed, and a number of two readings not at all', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Set as typed');
  await page.goto(`${product.url}/ics/canister/${id}?tab=settings`);
  const form = page.getByRole('form', { name: 'Settings' });
  const threshold = form.getByLabel('Freezing threshold', { exact: true });
  const calls = callsOf(page, 'POST', '/canister/settings');
  await threshold.fill('1,000');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(form.getByText('Write 1000 or 1.000: 1,000 can be read as both.')).toBeVisible();
  expect(calls).toHaveLength(0);
  await threshold.press('ControlOrMeta+a');
  await threshold.pressSequentially('1,5');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  const details = await user.api.call<{ settings: { freezing_threshold: string } }>(
    'GET',
    `/canister/details/${id}`,
  );
  expect(details.settings.freezing_threshold).toBe('129600');
});

test('a price and a version keep their decimals when they are typed with a comma', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/app/ecommerce/create`);
  const posts = callsOf(page, 'POST', '/products');
  const form = page.getByRole('form', { name: 'Product' });
  await form.getByLabel('Title', { exact: true }).fill('Figs');
  await form.getByLabel('Price in euros', { exact: true }).pressSequentially('3,49');
  await form.getByLabel('Rating', { exact: true }).pressSequentially('4,5');
  await form.getByRole('button', { name: 'Create product' }).click();
  await expect
    .poll(() => posts.map((post) => post.postDataJSON() as unknown))
    .toMatchObject([{ price: 3.49, rating: 4.5 }]);

  await page.goto(`${product.url}/ics/marketplace`);
  await page.getByRole('button', { name: 'Submit DApp' }).first().click();
  const version = page.getByRole('dialog').getByLabel('Version', { exact: true });
  await version.fill('');
  await version.pressSequentially('1,5');
  await expect(version).toHaveValue('1.5');
});
