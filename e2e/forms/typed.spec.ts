import { createCanister } from '../support/canisters-of.ts';
import { callsOf } from '../support/calls.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { expect, test } from '../support/product.ts';

test('[VAL-05] [VAL-06] the top-up says what is wrong while one types, and not before it is', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Typed');
  await page.goto(`${product.url}/ics/canister/${id}`);
  const calls = callsOf(page, 'POST', '/canister/topup');
  const canister = new CanisterPage(page);
  await canister.action('Add Cycles').click();
  const dialog = canister.topUpDialog;
  const wrong = dialog.getByText('Invalid Amount');
  const type = async (text: string): Promise<void> => {
    await canister.amount.press('ControlOrMeta+a');
    await canister.amount.press('Backspace');
    await canister.amount.pressSequentially(text);
    await expect(canister.amount).toHaveValue(text);
  };

  for (const [text, reason] of [
    ['11', 'At most 10 T at a time.'],
    ['10.01', 'At most 10 T at a time.'],
    ['0.00', 'At least 0.01 T.'],
    ['1e', /^Write a number/],
    ['1,000', 'Write 1000 or 1.000: 1,000 can be read as both.'],
  ] as const) {
    await type(text);
    await expect(wrong, text).toBeVisible();
    await expect(dialog.getByText(reason), text).toBeVisible();
    await expect(canister.amount, text).toHaveAttribute('aria-invalid', 'true');
  }
  // On the way to an amount nothing is wrong yet.
  for (const text of ['0', '0.', '0.0', '1.', '10', '0,01']) {
    await type(text);
    await expect(wrong, text).toHaveCount(0);
  }
  await type('');
  await expect(wrong).toHaveCount(0);
  // With the field left, there is nothing more to come.
  await type('0');
  await page.keyboard.press('Tab');
  await expect(wrong).toBeVisible();
  await expect(dialog.getByText('At least 0.01 T.')).toBeVisible();
  expect(calls).toHaveLength(0);

  await page.keyboard.press('Escape');
  await canister.action('Add Cycles').click();
  await expect(canister.amount).toHaveValue('1');
  await expect(wrong).toHaveCount(0);
});

test('amounts among the settings of a canister say what is wrong while one types', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Typed');
  await page.goto(`${product.url}/ics/canister/${id}?tab=settings`);
  const form = page.getByRole('form', { name: 'Settings' });
  const field = form.getByLabel('Compute allocation');
  await field.fill('101');
  await expect(form.getByText('At most 100 %.')).toBeVisible();
  await field.fill('100');
  await expect(form.getByText('At most 100 %.')).toHaveCount(0);
  const threshold = form.getByLabel('Freezing threshold', { exact: true });
  await threshold.fill('');
  await expect(form.getByRole('alert'), 'an empty field is one to be filled').toHaveCount(0);
  await threshold.fill('1,000');
  await expect(form.getByText('Write 1000 or 1.000: 1,000 can be read as both.')).toBeVisible();
});
