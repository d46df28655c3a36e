import { callsOf } from '../support/calls.ts';
import { createCanister, topUp } from '../support/canisters-of.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { expect, test } from '../support/product.ts';

interface Balances {
  readonly samples: readonly { readonly at: string; readonly cycles: string }[];
}

const digits = (cycles: string | undefined) => BigInt(cycles ?? '0').toLocaleString('en-US');

test('[CAND-18] the cycles of a canister over time: by pointer, by keyboard and as a table', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  const balances = () => user.api.call<Balances>('GET', `/canister/balances/${id}`);
  const asked = callsOf(page, 'GET', `/canister/balances/${id}/`);
  const canister = new CanisterPage(page);
  await page.goto(`${product.url}/ics/canister/${id}`);
  await expect(page.getByText('The line begins with the second reading')).toBeVisible();
  await expect.poll(async () => (await balances()).samples.length).toBe(1);

  // What is read within the same five seconds shares a place.
  const first = Date.parse((await balances()).samples[0]?.at ?? '');
  await expect.poll(() => Math.floor(Date.now() / 5_000)).toBeGreaterThan(Math.floor(first / 5_000));
  await canister.topUp('1.5');
  const line = page.getByRole('slider', { name: 'Cycles over time' });
  await expect(line).toBeVisible();
  const { samples } = await balances();
  await expect(page.locator('[data-mark="Topped up 1.50 T"]')).toHaveCount(1);
  await expect(canister.fact('Topped up in 24 hours')).toHaveText('1.50 T');
  await expect(canister.fact('Burn per day')).toHaveText('after an hour of readings');

  await test.step('the head says how long they last, and every digit on demand', async () => {
    await expect(canister.fact('Cycles')).toContainText('last more than 1,000 years');
    await page.getByRole('button', { name: '3.50 T' }).hover();
    await expect(page.getByRole('tooltip')).toHaveText(
      /^3,(?:500,000,000,000|499,\d{3},\d{3},\d{3}) cycles$/,
    );
    await page.mouse.move(0, 0);
    await expect(page.getByRole('tooltip')).toBeHidden();
  });

  await test.step('arrow keys read off single values', async () => {
    await page.getByRole('button', { name: 'Show readings as table' }).focus();
    await page.keyboard.press('Tab');
    await expect(line).toBeFocused();
    await page.keyboard.press('End');
    await expect(line).toHaveAttribute('aria-valuetext', new RegExp(`^${digits(samples.at(-1)?.cycles)} `));
    const reading = page.locator('[data-reading]');
    await expect(reading).toContainText('Topped up 1.50 T');
    await page.keyboard.press('Home');
    await expect(line).toHaveAttribute('aria-valuetext', new RegExp(`^${digits(samples[0]?.cycles)} cycles`));
    await expect(reading).toContainText(`${digits(samples[0]?.cycles)} cycles`);
    await inspectOnPhone(page, 'chart with a reading');
  });

  await test.step('the pointer at the end of the line reads off the last value', async () => {
    const box = (await line.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width - 4, box.y + box.height / 2);
    await expect(page.locator('[data-reading]')).toContainText(`${digits(samples.at(-1)?.cycles)} cycles`);
    await page.mouse.move(0, 0);
    await expect(page.locator('[data-reading]')).toBeHidden();
  });

  await test.step('a range is chosen by keyboard', async () => {
    await page.getByRole('radio', { name: '24 hours' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: '7 days' })).toBeChecked();
    await expect(line).toBeVisible();
    await expect.poll(() => asked.some((request) => request.url().endsWith('range=7d'))).toBe(true);
  });

  await test.step('the readings as a table', async () => {
    await page.getByRole('button', { name: 'Show readings as table' }).click();
    const rows = page.getByRole('table', { name: 'Cycles over time' }).getByRole('row');
    await expect(rows.nth(1)).toContainText(digits(samples.at(-1)?.cycles));
    await expect(rows.nth(1)).toContainText('+1,500,000,000,000');
    await inspectOnPhone(page, 'readings as table');
  });
});

test('[ACC-03] the balance of the account over time', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/account`);
  await expect(page.getByText('The line begins with the second transaction')).toBeVisible();
  const id = await createCanister(user.api, 'Bakery');
  await topUp(user.api, id, 1.5);
  await page.reload();
  const line = page.getByRole('slider', { name: 'Balance over time' });
  await line.focus();
  for (const [key, text] of [
    ['Home', '100,000,000,000,000 cycles'],
    ['ArrowRight', '98,000,000,000,000 cycles'],
    ['ArrowRight', '96,500,000,000,000 cycles'],
    ['End', '96,500,000,000,000 cycles'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(line).toHaveAttribute('aria-valuetext', new RegExp(`^${text}`));
  }
  await inspectOnPhone(page, 'balance over time');
});

test('a freezing threshold says what it needs; a canister it freezes is still shown, and set free again', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await page.goto(`${product.url}/ics/canister/${id}?tab=settings`);
  const form = page.getByRole('form', { name: 'Settings' });
  const threshold = form.getByLabel('Freezing threshold', { exact: true });
  await expect(form.getByText(/^Keeps .+ of the .+ T cycles untouched\.$/)).toBeVisible();
  await threshold.fill('9999999999');
  await expect(form.getByText('The canister would freeze at once')).toBeVisible();
  await inspectOnPhone(page, 'warning about freezing');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(page.getByText('Settings saved')).toBeVisible();
  await page.reload();
  const frozen = page.locator('header').getByText('Frozen', { exact: true });
  await expect(frozen).toBeVisible();
  await expect(form.getByText('The canister stays frozen')).toBeVisible();
  await threshold.fill('30');
  await form.getByRole('button', { name: 'Save settings' }).click();
  await expect(frozen).toBeHidden();
});
