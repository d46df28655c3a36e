import type { Page } from '@playwright/test';
import { expectFits, violationsInThemes, violationsOf } from '../support/accessibility.ts';
import { createCanister } from '../support/canisters-of.ts';
import { runsEveryCase } from '../support/every-case.ts';
import { demoScreens, openDemoScreens } from './demo-screens.ts';
import {
  candidScreens,
  canisterScreens,
  deployScreens,
  documentationScreens,
  emptyScreens,
  listScreens,
  shellScreens,
  visitorScreens,
} from './every-screen.ts';
import { expect, test } from '../support/product.ts';
import { marketplaceScreens, registryScreens } from './shared-screens.ts';
import { watchPage } from '../support/watch-page.ts';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
/** Around where the sidebar becomes a drawer, where tables have the least room for their columns. */
const BETWEEN = [1100, 960, 900];
/** Widths of tablets. */
const TABLETS = [1024, 768];

// The longest of all: the workers share it, or they are idle at the end of a run.
test.describe.configure({ mode: 'parallel' });

/**
 * Looks at the page as it stands: in every theme at a desk, in its theme on a phone; between them, whether it fits. Where every case
 * runs, in every theme on tablets and on a phone as well: colours hardly depend on the width.
 */
async function inspect(page: Page, name: string): Promise<void> {
  expect.soft(await violationsInThemes(page), name).toEqual([]);
  for (const width of BETWEEN) {
    await page.setViewportSize({ ...DESK, width });
    await expectFits(page, `${name}, ${width} px wide`);
  }
  for (const width of TABLETS) {
    await page.setViewportSize({ ...DESK, width });
    await expectFits(page, `${name}, ${width} px wide`);
    if (runsEveryCase) expect.soft(await violationsInThemes(page), `${name}, ${width} px wide`).toEqual([]);
  }
  await page.setViewportSize(PHONE);
  await expectFits(page, name);
  expect.soft(await cutOff(page), `${name}, cut off`).toEqual([]);
  expect.soft(await smallTargets(page), `${name}, targets`).toEqual([]);
  const onPhone = runsEveryCase ? await violationsInThemes(page) : await violationsOf(page);
  expect.soft(onPhone, `${name}, phone`).toEqual([]);
  await page.setViewportSize(DESK);
}

const parts = {
  'a user who owns nothing': emptyScreens,
  'dashboard and shell': shellScreens,
  'a canister': canisterScreens,
  'the lists': listScreens,
  deploys: deployScreens,
  'the Candid page': candidScreens,
  'the registries': registryScreens,
  'the marketplace': marketplaceScreens,
  'the template shell': demoScreens,
};

test('every screen of a visitor is accessible in every theme, and fits a phone', async ({
  page,
  product,
  user,
}) => {
  test.setTimeout(300_000);
  const walk = { page, product, user, look: (name: string) => inspect(page, name) };
  await visitorScreens(walk);
  await openDemoScreens(walk);
});

test('every page of the documentation is accessible in every theme, and fits a phone', async ({
  page,
  product,
  user,
}) => {
  test.setTimeout(300_000);
  const problems = await watchPage(page);
  await documentationScreens({ page, product, user, look: (name) => inspect(page, name) });
  expect(problems(), 'nothing is thrown, and nothing that the content policy blocks').toEqual([]);
});

for (const [name, walk] of Object.entries(parts)) {
  test(`every screen of ${name} is accessible in every theme, and fits a phone`, async ({
    page,
    product,
    user,
    signedIn: _signedIn,
  }) => {
    test.setTimeout(300_000);
    const problems = await watchPage(page);
    await walk({ page, product, user, look: (screen) => inspect(page, screen) });
    expect(problems(), 'nothing is thrown, and nothing that the content policy blocks').toEqual([]);
  });
}

test('on a phone the menu is a drawer, and the search of a list has a separate line', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Bakery');
  await page.setViewportSize(PHONE);
  await page.goto(`${product.url}/ics/canisters`);
  const search = await page.getByRole('searchbox').boundingBox();
  expect(search?.width).toBeGreaterThan(300);
  await page.getByRole('button', { name: 'Open sidebar' }).click();
  await expect(page.getByTestId('sidebar').getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await inspect(page, 'menu');
});

/** What a drawer or dialog cuts off, which does not widen the page. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[role="dialog"] *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );
}

/** Main actions that a thumb may miss: WCAG 2.5.5 asks for 44 px, with a fraction for rounding. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        'button.bg-accent, a.bg-accent, [role="menuitem"], nav a, form input:not([type="checkbox"], [type="radio"], [type="file"], [aria-hidden])',
      ),
    ]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.height > 0 && box.height < 43.5)
      .map(({ element, box }) => `${Math.round(box.height)} px: ${element.outerHTML.slice(0, 120)}`),
  );
}

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
