import type { Page } from '@playwright/test';
import { linkedWorld } from '../support/linked-world.ts';
import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

/** Buttons and links of which nothing but a drawing is seen, and that lack a name or a tip. */
const nameless = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], [role="button"]')]
      .filter((element) => element.checkVisibility() && element.closest('[aria-hidden="true"]') === null)
      .filter((element) => element.querySelector('svg') !== null && !/[\p{L}\p{N}]/u.test(element.innerText))
      .filter((element) => {
        const name = element.getAttribute('aria-label') ?? element.textContent;
        const hasTip = element.hasAttribute('data-tip') || element.hasAttribute('title');
        return name.trim() === '' || !hasTip;
      })
      .map((element) => element.outerHTML.slice(0, 200)),
  );

test('every button that is only an icon has a name and a tip, on every page and in every list', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(480_000);
  const world = await linkedWorld(product, user);
  const { pages } = world;
  const addresses = [
    '/ics/dashboard',
    '/ics/canisters',
    '/ics/canisters?view=cards',
    `/ics/canister/${world.bread}`,
    `/ics/canister/${world.bread}?tab=call`,
    `/ics/canister/${world.bread}?tab=settings`,
    `/ics/canister/${world.bread}?tab=snapshots`,
    `/ics/canister/${world.instance}`,
    pages.deploy,
    `${pages.deploy}/settings`,
    pages.repository,
    pages.commit,
    pages.dapp,
    pages.ownDapp,
    '/ics/marketplace',
    pages.registry,
    '/ics/account',
    '/ics/deploy?type=STATIC_SITE',
    '/documentation/getting-started/quick-start',
    '/documentation/components/buttons',
    '/app',
    '/app/ecommerce',
    '/app/users',
    `/candid/?id=${world.instance}`,
  ];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const address of addresses) {
      await page.goto(product.url + address);
      await untilQuiet(page);
      expect.soft(await nameless(page), `${address}, ${width} px`).toEqual([]);
    }
  }
});

test('a tip shows after a rest of the pointer and at once for the keyboard, and goes with Escape, a press and the pointer', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/canisters`);
  const button = page.getByRole('button', { name: 'Show as cards' });
  const tip = page.getByTestId('icon-tip');
  await button.hover();
  await expect(tip).toHaveText('Show as cards');
  const [of, at] = [await button.boundingBox(), await tip.boundingBox()];
  expect((at?.y ?? 0) + (at?.height ?? 0), 'above its button').toBeLessThanOrEqual(of?.y ?? 0);
  await page.mouse.move(5, 600);
  await expect(tip).toHaveCount(0);

  await button.hover();
  await expect(tip).toBeVisible();
  await page.mouse.down();
  await expect(tip).toHaveCount(0);
  await page.mouse.up();
  await page.mouse.move(5, 600);

  const toggle = page.getByRole('button', { name: 'Close sidebar' });
  await page.reload();
  await expect(button.or(page.getByRole('button', { name: 'Show as table' }))).toBeVisible();
  for (
    let step = 0;
    step < 5 && !(await toggle.evaluate((one) => one === document.activeElement));
    step += 1
  ) {
    await page.keyboard.press('Tab');
  }
  await expect(tip).toHaveText('Close sidebar');
  // At the edge of the window it stays inside, under its button where there is no room above.
  const box = await tip.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeGreaterThanOrEqual(0);
  await page.keyboard.press('Escape');
  await expect(tip).toHaveCount(0);
});
