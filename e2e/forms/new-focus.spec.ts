import type { Page } from '@playwright/test';
import { createCanister, emptyModule } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { CanisterPage } from '../pages/canister-page.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';

const file = { name: 'm.wasm', mimeType: 'application/wasm', buffer: emptyModule };

/** Where the focus is after a moment: long enough for a dialog to have given it back. */
async function settledFocus(page: Page): Promise<string> {
  await page.waitForTimeout(600);
  return page.evaluate(() => {
    const { activeElement: focused } = document;
    const section = focused?.closest('section')?.getAttribute('aria-label') ?? '';
    return `${focused?.tagName} ${section} ${focused?.getAttribute('href') ?? focused?.getAttribute('data-canister') ?? ''}`;
  });
}

test('the focus goes to the canister that was created: its row, its card, or what is offered for it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const idOf = async (name: string): Promise<string> => {
    const list = await user.api.call<{ id: string; name: string }[]>('GET', '/canister/list/');
    return list.find((one) => one.name === name)?.id ?? 'none';
  };
  await canisters.create('The first');
  const first = await idOf('The first');
  expect(await settledFocus(page)).toBe(`A  /ics/canister/${first}`);
  await canisters.create('The second');
  expect(await settledFocus(page)).toBe(`A  /ics/canister/${await idOf('The second')}`);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The second');

  // Cards, and a list that does not show the new one.
  await canisters.open();
  await canisters.showCards();
  await canisters.create('The third');
  expect(await settledFocus(page)).toBe(`BUTTON  ${await idOf('The third')}`);
  await page.getByRole('searchbox', { name: 'Search canisters' }).fill('The first');
  await expect(canisters.cards).toHaveCount(1);
  await canisters.create('Elsewhere');
  expect(await settledFocus(page)).toBe('BUTTON New canister ');

  // From the palette on another page.
  await page.goto(`${product.url}/ics/registries`);
  await expect(page.getByText("You haven't added any registry yet.")).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('create canister');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').fill('From afar');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ics\/canisters/);
  expect(await settledFocus(page)).toBe(`A  /ics/canister/${await idOf('From afar')}`);

  // Without a creation it goes back to where it was.
  await canisters.createButton.click();
  await page.keyboard.press('Escape');
  await expect(canisters.dialog).toBeHidden();
  await expect(canisters.createButton).toBeFocused();
});

test('the focus goes to what an installation has put in', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Filled');
  await page.goto(`${product.url}/ics/canister/${id}`);
  const canister = new CanisterPage(page);
  await canister.install(file);
  await expect(canister.installDialog).toBeHidden();
  await expect(page.getByRole('region', { name: 'Origin of the code' })).toBeFocused();
  expect(await settledFocus(page)).toBe('SECTION Origin of the code ');

  // From the offer for a new canister.
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  await canisters.create('Offered');
  await page
    .getByRole('region', { name: 'New canister' })
    .getByRole('button', { name: 'Install code' })
    .click();
  await canister.chooseFile(file);
  await canister.confirmInstall();
  await expect(page.getByText('has its code.')).toBeVisible();
  expect(await settledFocus(page)).toMatch(/^A New canister \/ics\/canister\//);

  // From the marketplace.
  const dapp = await submitDapp(user.api, { name: `Guestbook of ${user.name}` }, uniqueModule());
  await page.goto(`${product.url}/ics/dapp/${dapp}`);
  await page.getByRole('button', { name: 'Install dapp' }).click();
  const dialog = page.getByRole('dialog', { name: 'Install DApp' });
  await dialog.getByLabel('Instance Name').fill('Mine');
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mine');
  expect(await settledFocus(page)).toBe('SECTION DApp ');
});
