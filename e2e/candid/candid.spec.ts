import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectFits, violationsOf } from '../support/accessibility.ts';
import { createCanister, installModule, stop } from '../support/canisters-of.ts';
import { bakerySource, compileMotoko } from '../support/motoko.ts';
import { CandidPage } from '../pages/candid-page.ts';
import { expect, test } from '../support/product.ts';
import { watchPage } from '../support/watch-page.ts';

/** Looks at the page wide in the light theme and narrow in the dark one. */
async function inspect(page: Page): Promise<void> {
  for (const [theme, width] of [
    ['dark', 390],
    ['default', 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await expectFits(page, `${width} px`);
    expect(await violationsOf(page), theme).toEqual([]);
  }
}

test('the Candid page calls methods with arguments of every kind, and tells what went wrong', async ({
  page,
  product,
  user,
}) => {
  test.setTimeout(180_000);
  const id = await createCanister(user.api, 'Bakery');
  await installModule(user.api, id, readFileSync(compileMotoko(bakerySource)));
  const problems = await watchPage(page);
  const candid = new CandidPage(page);
  await candid.open(product.url, id);

  const bake = candid.method('bake');
  const field = (label: string) => bake.getByLabel(new RegExp(`^${label} `));
  await test.step('a mistake is named at its input, and no call is made', async () => {
    await field('quantity').fill('-1');
    await candid.call('bake');
    await expect(field('quantity')).toHaveAttribute('aria-invalid', 'true');
    await expect(field('quantity')).toBeFocused();
    await expect(candid.reply('bake')).toBeHidden();
  });

  await test.step('an update with all kinds of arguments', async () => {
    await field('quantity').fill('3');
    await field('note').fill('crisp "and" brown, é');
    await bake.getByLabel('Give a value for extra').check();
    await bake.getByLabel(/^value /).fill('-7');
    await bake.getByRole('button', { name: 'Add an item to sizes' }).click();
    await bake.getByLabel(/^1 /).fill('10');
    await bake.getByRole('button', { name: 'Add an item to sizes' }).click();
    await bake.getByLabel(/^2 /).fill('20');
    await bake.getByLabel(/^item /).fill('loaf');
    await bake.getByLabel(/^warm /).check();
    await bake.getByLabel('Choice of kind').selectOption('cake');
    await bake.getByLabel(/^cake /).fill('5');
    await field('who').fill('not a principal');
    await bake.getByLabel('Hex', { exact: true }).check({ force: true });
    await field('data').fill('de ad be ef');
    await candid.call('bake');
    await expect(field('who')).toHaveAttribute('aria-invalid', 'true');
    await field('who').fill(id);
    await inspect(page);
    await candid.call('bake');
    const reply = candid.reply('bake');
    await expect(reply).toContainText('total = 33');
    for (const part of [
      'crisp \\"and\\" brown, é',
      'opt (-7 : int)',
      'record { item = "loaf"; warm = true }',
      'variant { cake = 5 : nat }',
      `principal "${id}"`,
      'blob "\\de\\ad\\be\\ef"',
    ])
      await expect(reply).toContainText(part);
  });

  await test.step('a query sees what the update left', async () => {
    await expect(candid.method('total').getByRole('button', { name: 'Query', exact: true })).toBeVisible();
    await candid.call('total');
    await expect(candid.reply('total')).toContainText('33');
  });

  await test.step('a trap gives its words, and takes nothing with it', async () => {
    await candid.call('burn');
    await expect(candid.reply('burn')).toContainText('the oven is on fire');
    await expect(candid.reply('burn')).toContainText('CANISTER_ERROR');
    await candid.call('total');
    await expect(candid.reply('total')).toContainText('33');
  });

  await test.step('the arguments can be given as one text', async () => {
    const greet = candid.method('greet');
    await greet.getByRole('button', { name: 'As text' }).click();
    await greet.getByLabel('Arguments as Candid text').fill('("Ada", null');
    await candid.call('greet');
    await expect(greet.getByLabel('Arguments as Candid text')).toHaveAttribute('aria-invalid', 'true');
    await greet.getByLabel('Arguments as Candid text').fill('("Ada", opt "Good morning")');
    await candid.call('greet');
    await expect(candid.reply('greet')).toContainText('"Good morning, Ada"');
  });

  await inspect(page);
  expect(problems()).toEqual([]);
});

test('the Candid page without a canister, with a wrong id, with an unknown canister and with an empty one', async ({
  page,
  product,
  user,
}) => {
  const problems = await watchPage(page);
  const candid = new CandidPage(page);
  const empty = await createCanister(user.api, 'Empty');
  const gone = await createCanister(user.api, 'Gone');
  await stop(user.api, gone);
  await user.api.call('POST', '/canister/delete', { canister_id: gone });

  await candid.open(product.url);
  await expect(page.getByText('Which canister?')).toBeVisible();
  await inspect(page);

  await candid.open(product.url, 'rrkah-fqaaa-aaaaa-aaaaq-caj');
  await expect(page.getByText('This is not a canister id')).toBeVisible();
  await inspect(page);

  await candid.open(product.url, gone);
  await expect(page.getByText('There is no such canister')).toBeVisible();
  await inspect(page);

  await candid.open(product.url, 'nonsense');
  await page.getByLabel('Canister id').fill(`${empty}x`);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByText('This is not a canister id: it looks like')).toBeVisible();
  await page.getByLabel('Canister id').fill(empty);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page).toHaveURL(new RegExp(`\\?id=${empty}$`));
  await expect(page.getByText('No code is installed')).toBeVisible();
  await inspect(page);
  expect(problems()).toEqual([]);
});
