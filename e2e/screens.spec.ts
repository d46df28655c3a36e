import type { Product } from '@cannery/dev-env';
import type { Page } from '@playwright/test';
import { overflowOf, settled, violationsOf } from './accessibility.ts';
import { createCanister, emptyModule, installModule, stop } from './canisters-of.ts';
import { CanisterPage } from './pages/canister-page.ts';
import { CanistersPage } from './pages/canisters-page.ts';
import { createDeploy } from './deploys.ts';
import { expect, test } from './product.ts';
import { type Owner, pushFiles } from './repositories.ts';

const LONG = 'A canister with quite a long name that has to be cut somewhere';

/** Data in every state that changes the look of a screen. */
async function furnish(product: Product, owner: Owner): Promise<string> {
  const id = await createCanister(owner.api, LONG);
  await installModule(owner.api, id, emptyModule);
  await stop(owner.api, await createCanister(owner.api, 'x'.repeat(80)));
  const repository = 'r'.repeat(50);
  await pushFiles(product, owner, repository, { 'index.html': '<h1>wide</h1>' });
  await createDeploy(owner, { name: 'n'.repeat(60), repo_name: repository, deploy_type: 'STATIC_SITE' });
  return id;
}

/** Opens every signed-in screen outside the deploy pages, their dialogs and drawers included. */
async function eachScreen(
  page: Page,
  url: string,
  id: string,
  look: (name: string) => Promise<void>,
): Promise<void> {
  const open = async (address: string, shown: string): Promise<void> => {
    await page.goto(url + address);
    await expect(page.getByText(shown).first()).toBeVisible();
    await look(address);
  };
  await open('/ics/dashboard', 'CANISTER CREATE');
  await open('/ics/account', 'CANISTER CREATE');
  await open('/no/such/page', 'Back to Home');
  await open(`/ics/canister/${id}`, 'Module Hash');
  const canister = new CanisterPage(page);
  await canister.action('Add Cycles').click();
  await expect(canister.topUpDialog).toBeVisible();
  await look('top-up dialog');
  await page.keyboard.press('Escape');
  await expect(canister.topUpDialog).toBeHidden();
  await canister.action('Install WASM').click();
  await expect(canister.installDialog).toBeVisible();
  await look('install dialog');

  await open('/ics/canisters', 'Rows per page');
  const canisters = new CanistersPage(page, url);
  await canisters.createButton.click();
  await expect(canisters.dialog).toBeVisible();
  await look('create dialog');
  await page.keyboard.press('Escape');
  await expect(canisters.dialog).toBeHidden();
  await canisters.showCards();
  await expect(canisters.cards).toHaveCount(2);
  await look('cards');
  await canisters.openCard(LONG);
  await expect(canisters.drawer(LONG)).toBeVisible();
  await look('drawer');
}

test('no screen has an accessibility violation, in the default and the dark theme', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(180_000);
  const id = await furnish(product, user);
  await page.goto(`${product.url}/ics/dashboard`);
  for (const theme of ['default', 'dark']) {
    await page.evaluate((name) => localStorage.setItem('theme', name), theme);
    await eachScreen(page, product.url, id, async (name) => {
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      expect.soft(await violationsOf(page), `${name}, ${theme}`).toEqual([]);
    });
  }
});

test('no screen is wider than a phone of 390 px', async ({ page, product, user, signedIn: _signedIn }) => {
  const id = await furnish(product, user);
  await page.setViewportSize({ width: 390, height: 844 });
  await eachScreen(page, product.url, id, async (name) => {
    await settled(page);
    expect.soft(await overflowOf(page), name).toBe(0);
    const search = page.getByRole('searchbox');
    if (name === '/ics/canisters') {
      expect
        .soft((await search.boundingBox())?.width, 'the search has a line of its own')
        .toBeGreaterThan(300);
    }
    // What a drawer or dialog cuts off does not widen the page.
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('[role="dialog"] *')]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .map(({ outerHTML }) => outerHTML.slice(0, 120)),
    );
    expect.soft(cut, name).toEqual([]);
  });
});

test('the product has an icon for browsers that look for either kind', async ({ product, page }) => {
  for (const [address, type] of [
    ['/favicon.ico', /^image\/(x-icon|vnd\.microsoft\.icon)/],
    ['/favicon.svg', /^image\/svg\+xml/],
  ] as const) {
    const answer = await fetch(product.url + address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(type);
  }
  for (const address of ['/login', '/candid/']) {
    await page.goto(product.url + address);
    await expect(page.locator('link[rel="icon"]')).toHaveCount(2);
  }
});
