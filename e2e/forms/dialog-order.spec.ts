import { createApi, signIn } from '@cannery/dev-env';
import type { Page } from '@playwright/test';
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
  await user.api.call('POST', '/api-tokens', { label: 'CI', scopes: ['deploys:read'], expires_in_days: 30 });
  await page.goto(product.url);
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const press = (name: string | RegExp) => () => button(name).click();
  const inMenu = (menu: RegExp, item: string | RegExp) => async () => {
    await button(menu).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  const dialogs: readonly [string, () => Promise<void>, readonly string[]][] = [
    ['/ics/canisters', press('Create New Canister'), ['Cancel', 'Create']],
    [`/ics/canister/${world.byHand}`, press('Add Cycles'), ['Cancel', 'Add Cycles']],
    [`/ics/canister/${world.byHand}`, press('Install WASM'), ['Cancel', 'Install']],
    [`/ics/canister/${world.byHand}`, press(/^Delete/), ['Cancel', 'Delete']],
    [`/ics/canister/${world.byHand}?tab=snapshots`, press(/^Take/), ['Cancel', 'Take snapshot']],
    [
      `/ics/canister/${world.byHand}?tab=settings`,
      async () => {
        await page.getByLabel('Add a controller').fill('aaaaa-aa');
        await page.getByLabel('Add a controller').press('Enter');
        await button(/^Remove controller (?!aaaaa)/).click();
        await button('Save settings').click();
      },
      ['Keep control', 'Give up control'],
    ],
    [
      `/ics/canister/${world.byHand}?tab=settings`,
      async () => {
        await page.getByLabel('Compute allocation').fill('7');
        await page.getByRole('tab', { name: 'History' }).click();
      },
      ['Stay', 'Leave'],
    ],
    [`/ics/canister/${world.instance}`, press('Upgrade'), ['Cancel', 'Upgrade']],
    [world.pages.deploy, inMenu(/^Actions for/, 'Redeploy this commit'), []],
    [`${world.pages.deploy}/settings`, press('Delete DApp'), ['Cancel', 'Delete DApp']],
    ['/ics/registries', press(/^Add new registry/i), ['Cancel', 'Add']],
    ['/ics/registries', inMenu(/^Actions of/, 'Edit'), ['Cancel', 'Save']],
    ['/ics/registries', inMenu(/^Actions of/, 'Delete'), ['Cancel', 'Delete']],
    ['/ics/marketplace', press('Submit DApp'), ['Cancel', 'Submit']],
    [world.pages.dapp, press('Install dapp'), ['Cancel', 'Install']],
    [world.pages.ownDapp, inMenu(/^Actions for/, 'Update'), ['Cancel', 'Update']],
    [world.pages.ownDapp, inMenu(/^Actions for/, 'Delete'), ['Cancel', 'Delete']],
    ['/ics/account', press('Create token'), ['Cancel', 'Create token']],
    ['/ics/account', press(/^Delete token/), ['Cancel', 'Delete token']],
    ['/ics/account', press(/^Sign out everywhere/), ['Cancel', 'Sign out everywhere']],
    [world.pages.repository, press(/^Rename/), ['Cancel', 'Rename']],
    [world.pages.repository, press(/^Delete/), ['Cancel', 'Delete repository']],
    ['/ics/dashboard', () => page.keyboard.press('?'), []],
  ];
  for (const [address, show, names] of dialogs) {
    const what = `${address} ${names.join(', ')}`;
    await page.goto(product.url + address);
    await expect(page.getByRole('heading', { level: 1 }), what).toBeAttached();
    await show();
    if (names.length === 0 && (await page.getByRole('dialog').count()) === 0) continue;
    await expect(page.getByRole('dialog').last(), what).toBeVisible();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await disorder(page), `${what}, ${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect.soft(await buttonsOf(page), what).toEqual(names);
  }
});
