import { createApi, signIn } from '@cannery/dev-env';
import type { Page } from '@playwright/test';
import { stop } from '../support/canisters-of.ts';
import { updateDapp, uniqueModule } from '../support/dapps-of.ts';
import { linkedWorld } from '../support/linked-world.ts';
import { expect, test } from '../support/product.ts';

/** Places of the focus in the order of the Tab key, of which one comes before what is left of it or above it. */
async function disorder(page: Page): Promise<string[]> {
  return page.getByRole('dialog').evaluate((dialog) => {
    const stops = [
      ...dialog.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex="0"]'),
    ]
      .filter((element) => element.checkVisibility() && !element.hasAttribute('disabled'))
      .filter((element) => !element.hasAttribute('data-base-ui-focus-guard') && element.tabIndex >= 0)
      .map((element) => {
        const { left, top, bottom } = element.getBoundingClientRect();
        return {
          name: (element.getAttribute('aria-label') ?? element.textContent).trim(),
          left,
          top,
          bottom,
        };
      })
      .filter(({ top, bottom }) => bottom - top > 4);
    return stops.flatMap((stop, at) => {
      const before = stops[at - 1];
      if (before === undefined) return [];
      // On one line by half of their height.
      const isBeside =
        before.top < (stop.top + stop.bottom) / 2 && stop.top < (before.top + before.bottom) / 2;
      const isAfter = isBeside ? before.left < stop.left : before.top < stop.top;
      return isAfter ? [] : [`${stop.name} after ${before.name}`];
    });
  });
}

/** Names of the buttons at the end of the dialog, as the keyboard meets them. */
const buttonsOf = (page: Page): Promise<string[]> =>
  page
    .getByRole('dialog')
    .locator('footer button')
    .evaluateAll((buttons) => buttons.map((button) => button.textContent.trim()));

test('in every dialog the keyboard goes the way of the eye, and what leaves all as it is comes before what acts', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.setTimeout(480_000);
  const world = await linkedWorld(product, user);
  const maker = createApi(product.url, await signIn(product.url, world.publisher));
  await updateDapp(maker, world.pages.dapp.split('/').at(-1) ?? '', '1.1.0', uniqueModule());
  await stop(user.api, world.bread);
  await user.api.call('POST', '/api-tokens', { label: 'CI', scopes: ['deploys:read'], expires_in_days: 30 });
  await page.goto(product.url);
  page.setDefaultTimeout(10_000);
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const press = (name: string | RegExp) => () => button(name).click();
  const inMenu = (menu: RegExp, item: string | RegExp) => async () => {
    await button(menu).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  const dialogs: readonly [string, () => Promise<void>][] = [
    ['/ics/canisters', press('Create New Canister')],
    [`/ics/canister/${world.byHand}`, press('Add Cycles')],
    [`/ics/canister/${world.byHand}`, press('Install WASM')],
    [`/ics/canister/${world.bread}`, press(/^Delete/)],
    [`/ics/canister/${world.bread}?tab=snapshots`, press(/^Take/)],
    [
      `/ics/canister/${world.byHand}?tab=settings`,
      async () => {
        await page.getByLabel('Add a controller').fill('aaaaa-aa');
        await page.getByLabel('Add a controller').press('Enter');
        await button(/^Remove controller (?!aaaaa)/).click();
        await button('Save settings').click();
      },
    ],
    [
      `/ics/canister/${world.byHand}?tab=settings`,
      async () => {
        await page.getByLabel('Compute allocation').fill('7');
        await page.getByRole('tab', { name: 'History' }).click();
      },
    ],
    [`/ics/canister/${world.instance}`, press('Upgrade')],
    [
      world.pages.deploy,
      async () => {
        await page
          .getByRole('list', { name: 'Earlier runs' })
          .getByRole('button', { name: /^Actions for/ })
          .click();
        await page.getByRole('menuitem', { name: 'Roll back to this' }).click();
      },
    ],
    [`${world.pages.deploy}/settings`, press('Delete DApp')],
    ['/ics/registries', press(/^Add new registry/i)],
    ['/ics/registries', inMenu(/^Actions of/, 'Edit')],
    ['/ics/registries', inMenu(/^Actions of/, 'Delete')],
    ['/ics/marketplace', press('Submit DApp')],
    [world.pages.dapp, press('Install dapp')],
    [world.pages.ownDapp, inMenu(/^Actions for/, 'Update')],
    [world.pages.ownDapp, inMenu(/^Actions for/, 'Delete')],
    ['/ics/account', press('Create token')],
    ['/ics/account', press(/^Delete token/)],
    ['/ics/account', press(/^Sign out everywhere/)],
    [world.pages.repository, press(/^Rename/)],
    [world.pages.repository, press(/^Delete/)],
    ['/ics/dashboard', () => page.keyboard.press('?')],
  ];
  for (const [number, [address, show]] of dialogs.entries()) {
    const what = `dialog ${number}, ${address}`;
    await page.goto(product.url + address);
    await expect(page.getByRole('heading', { level: 1 }), what).toBeAttached();
    const problem = await show().then(
      () => undefined,
      (error: unknown) => String(error).slice(0, 300),
    );
    expect.soft(problem, what).toBeUndefined();
    if (problem !== undefined) continue;
    await expect(page.getByRole('dialog').last(), what).toBeVisible({ timeout: 10_000 });
    for (const width of [1440, 390]) {
      // As tall as no dialog: what has to be scrolled to would lie beneath the buttons.
      await page.setViewportSize({ width, height: 2400 });
      expect.soft(await disorder(page), `${what}, ${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const buttons = await buttonsOf(page);
    if (buttons.length === 0) continue;
    expect.soft(buttons.slice(0, -1).join(), what).toMatch(/^(?:Cancel|Keep .*|Stay)$/);
    expect.soft(buttons.at(-1), what).not.toMatch(/^(?:Cancel|Keep .*|Stay|Close)$/);
  }
});
