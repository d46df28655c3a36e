import type { Page } from '@playwright/test';
import { createCanister } from '../support/canisters-of.ts';
import { createDeploy } from '../support/deploys.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';

/** Where the focus is, and whether anybody can see it. */
function focus(page: Page): Promise<{ readonly what: string; readonly fault: string | null }> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return { what: '', fault: null };
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isSeen = above === null || element.contains(above) || above.contains(element);
    const faults = [
      outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2 ? 'has no outline' : null,
      outlineColor === 'rgba(0, 0, 0, 0)' ? 'has an outline without a colour' : null,
      box.bottom <= 0 || box.top >= innerHeight ? 'is outside the window' : null,
      isSeen ? null : `lies under ${above.outerHTML.slice(0, 60)}`,
      Object.hasOwn(element.dataset, 'baseUiFocusGuard') ? 'is a hidden guard' : null,
    ].filter((fault) => fault !== null);
    return { what: element.outerHTML.slice(0, 120), fault: faults.length > 0 ? faults.join(', ') : null };
  });
}

test('every stop of the Tab key can be seen, on every screen', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await pushFiles(product, user, 'shop', { 'index.html': '<h1>shop</h1>' });
  const deploy = await createDeploy(user, { name: 'shop', repo_name: 'shop', deploy_type: 'STATIC_SITE' });
  for (const [address, shown] of [
    ['/ics/dashboard', 'CANISTER CREATE'],
    ['/ics/canisters', 'Rows per page'],
    [`/ics/canister/${id}`, 'Delete this canister'],
    ['/ics/deploy?type=STATIC_SITE', 'Your repositories'],
    ['/ics/deploy?type=STATIC_SITE&from=url', 'Public Git repository'],
    ['/ics/deploy?type=STATIC_SITE&from=push', 'Push from your project'],
    [`/ics/deploy/${deploy}`, 'Manual Deploy'],
    ['/ics/dapps', 'shop'],
    ['/ics/profile_temp', 'Strawberries arrive'],
    ['/app/ecommerce/management', 'White beans'],
    ['/app', 'Moon over the cellar'],
    ['/candid/', 'Candid'],
  ] as const) {
    await page.goto(product.url + address);
    await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
    let stops = 0;
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press('Tab');
      const { what, fault } = await focus(page);
      if (what === '') break;
      stops += 1;
      expect.soft(fault, `${address}: ${what}`).toBeNull();
    }
    expect(stops, address).toBeGreaterThan(2);
  }
});

test('no stop of the Tab key lies under the bar of the page or that of a changed form', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto(`${product.url}/ics/canister/${id}?tab=settings`);
  const first = page.getByLabel('Compute allocation');
  await first.fill('7');
  const save = page.getByRole('button', { name: 'Save settings' });
  await expect(save).toBeEnabled();
  for (const [key, end] of [
    ['Tab', save],
    ['Shift+Tab', first],
  ] as const) {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press(key);
      const { what, fault } = await focus(page);
      expect.soft(fault, `${key}: ${what}`).toBeNull();
      if (await end.evaluate((element) => element === document.activeElement)) break;
    }
    await expect(end).toBeFocused();
  }
});

test('the profile menu works by keyboard, and no hidden end of it holds the focus', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  const trigger = page.getByRole('button', { name: 'profile menu' });
  await trigger.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
  for (const key of ['ArrowDown', 'ArrowUp', 'End', 'Home']) {
    await page.keyboard.press(key);
    expect((await focus(page)).fault, key).toBeNull();
  }
  await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(trigger).toBeFocused();
  for (const key of ['Tab', 'Shift+Tab']) {
    await trigger.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
    await page.keyboard.press(key);
    await expect(page.getByRole('menu')).toHaveCount(0);
    expect((await focus(page)).fault, key).toBeNull();
  }
});

test('[CAN-32] the focus stays on its row while the list changes around it, and Ctrl+F asks the search', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Bakery');
  await createCanister(user.api, 'Brewery');
  const canisters = new CanistersPage(page, product.url);
  await canisters.open();
  const link = canisters.row('Bakery').getByRole('link', { name: 'Bakery' });
  await link.focus();
  await createCanister(user.api, 'Butchery');
  await expect(canisters.row('Butchery')).toBeVisible();
  await expect(link).toBeFocused();
  await page.keyboard.press('Control+f');
  const search = page.getByRole('searchbox', { name: 'Search canisters' });
  await expect(search).toBeFocused();
  await page.keyboard.type('bre');
  await expect(canisters.row('Brewery')).toBeVisible();
  await expect(canisters.row('Bakery')).toHaveCount(0);
});

test('[CAN-20] [CAND-09] a dialog starts in its first field, and Enter there submits it', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'By keyboard');
  await page.goto(`${product.url}/ics/canisters`);
  await page.getByRole('button', { name: 'Create New Canister' }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Typed at once');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Canisters' })).toContainText('Typed at once');

  await user.api.call('POST', '/canister/stop', { canister_id: id });
  await page.goto(`${product.url}/ics/canister/${id}`);
  await page.getByRole('button', { name: 'Add Cycles' }).click();
  await expect(page.getByRole('spinbutton')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Cycles Added')).toBeVisible();
  await page.getByRole('button', { name: 'Install WASM' }).click();
  await expect(page.getByRole('dialog').getByLabel('WASM file')).toBeFocused();
  await page.keyboard.press('Escape');
  // Where there is nothing to fill in, Enter leaves everything as it is.
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
});

test('a key or a click ends what is still coming in, so that its answer waits for no frame of that', async ({
  page,
  product,
  signedIn: _signedIn,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const client = await page.context().newCDPSession(page);
  await client.send('Animation.enable');
  await client.send('Animation.setPlaybackRate', { playbackRate: 0.05 });
  const comingIn = () =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .filter((one) => one instanceof CSSAnimation && one.animationName === 'entrance')
          .filter(({ playState }) => playState === 'running').length,
    );
  for (const act of [() => page.keyboard.press('Shift'), () => page.mouse.click(2, 2)]) {
    await page.goto(`${product.url}/ics/canisters`);
    await expect.poll(comingIn).toBeGreaterThan(0);
    await act();
    // By itself it would end after 20 s at this pace.
    await expect.poll(comingIn, { timeout: 5_000 }).toBe(0);
  }
  // None begins while somebody types.
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').press('a');
  await page.evaluate(() => {
    const card = document.createElement('div');
    card.className = 'animate-entrance';
    document.body.append(card);
  });
  await expect.poll(comingIn, { timeout: 5_000 }).toBe(0);
});
