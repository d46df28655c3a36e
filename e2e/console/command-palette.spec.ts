import type { Page } from '@playwright/test';
import { createCanister } from '../support/canisters-of.ts';
import { createSite, runDeploy, runsOf } from '../support/deploys.ts';
import { violationsInThemes } from '../support/accessibility.ts';
import { inspectOnPhone } from '../support/inspect.ts';
import { CanistersPage } from '../pages/canisters-page.ts';
import { expect, test } from '../support/product.ts';
import { pushFiles } from '../support/repositories.ts';
import { untilQuiet } from '../support/until-quiet.ts';

test('the command palette finds pages, canisters and actions, and ? tells the shortcuts', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await createCanister(user.api, 'Brewery');
  const canisters = new CanistersPage(page, product.url);
  await page.goto(`${product.url}/ics/dashboard`);
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const input = palette.getByRole('combobox');
  const chosen = palette.getByRole('option', { selected: true });
  await page.getByRole('button', { name: 'Open the command palette' }).click();
  await expect(input).toBeFocused();
  await expect(chosen).toContainText('Dashboard');
  await expect(palette.getByRole('option', { name: 'Brewery' })).toBeVisible();
  await inspectOnPhone(page, 'palette');
  await page.keyboard.press('Control+k');
  await expect(palette).toBeHidden();

  await test.step('a canister by its id', async () => {
    await page.keyboard.press('Control+k');
    await input.fill(id.slice(0, 12));
    await expect(palette.getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`/ics/canister/${id}$`));
    await page.keyboard.press('Control+k');
    await expect(chosen, 'what was used last comes first').toContainText('Bakery');
    await input.fill('no such thing');
    await expect(palette.getByText('Nothing matches.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();
  });

  await test.step('actions: theme and creation', async () => {
    await page.keyboard.press('Control+k');
    await input.fill('theme');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
    await expect(chosen).toHaveText('Theme: Dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.keyboard.press('Control+k');
    await input.fill('create can');
    await page.keyboard.press('Enter');
    await canisters.dialog.getByLabel('Name').fill('Butchery');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ics\/canisters$/);
    await expect(canisters.row('Butchery')).toBeVisible();
  });

  await test.step('the list of shortcuts, which can be switched off', async () => {
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.getByRole('searchbox').first().press('?');
    await expect(shortcuts).toBeHidden();
    await page.locator('main').focus();
    await page.keyboard.press('?');
    await expect(shortcuts).toContainText('Open the command palette');
    await inspectOnPhone(page, 'shortcuts');
    await shortcuts.getByRole('checkbox').uncheck();
    await page.keyboard.press('Escape');
    await expect(shortcuts).toBeHidden();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await expect(palette).toBeVisible();
    await input.fill('sign out');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/login$/);
  });
});

const paletteOf = (page: Page) => {
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  const input = palette.getByRole('combobox');
  const chosen = palette.getByRole('option', { selected: true });
  const open = async (): Promise<void> => {
    await expect(page.getByRole('button', { name: /Open the command palette/ })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(input).toBeFocused();
  };
  const take = async (text: string): Promise<void> => {
    await open();
    await input.fill(text);
    await expect(chosen).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  };
  return { palette, input, chosen, open, take };
};

test('verbs act on canisters from anywhere, with the dialog of their page', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: product.url });
  const bakery = await createCanister(user.api, 'Bakery');
  await createCanister(user.api, 'Brewery');
  await page.goto(`${product.url}/ics/registries`);
  const { palette, input, chosen, open, take } = paletteOf(page);
  const status = () => user.api.call<{ status: string }>('GET', `/canister/status/${bakery}`);
  await open();
  await input.fill('stop');
  await expect(palette.getByRole('group', { name: 'Do' }).getByRole('option')).toContainText([
    'Stop Brewery',
    'Stop Bakery',
  ]);
  await input.fill('stop bak');
  await expect(chosen).toContainText('Stop Bakery');
  expect(await violationsInThemes(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Canister stopped', { exact: true })).toBeVisible();
  expect(await status()).toMatchObject({ status: 'stopped' });
  await open();
  await expect(chosen, 'Enter goes to it and repeats nothing').toHaveText(new RegExp(`^Bakery${bakery}`));
  await input.fill('stop bak');
  await expect(palette.getByText('Nothing matches.')).toBeVisible();
  await page.keyboard.press('Escape');
  await take('start bakery');
  await expect(page.getByText('Canister started', { exact: true })).toBeVisible();
  await take('top up bakery');
  const topUp = page.getByRole('dialog', { name: 'Add Cycles' });
  await expect(topUp).toContainText('Bakery');
  await page.keyboard.press('Escape');
  await take('install code on bakery');
  await expect(page.getByRole('dialog', { name: 'Install WASM' })).toContainText('Bakery');
  await page.keyboard.press('Escape');
  await take('copy id of bakery');
  await expect(page.getByText('The id is in the clipboard')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(bakery);
  await take('snapshots bakery');
  await expect(page).toHaveURL(`${product.url}/ics/canister/${bakery}?tab=snapshots`);
});

test('verbs act on deploys from anywhere; repositories, chapters and the demo are found', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const id = await createSite(product, user, 'shop');
  await page.goto(`${product.url}/ics/registries`);
  const { palette, open, take } = paletteOf(page);
  await take('deploy shop');
  await expect(page.getByText('Deployment Started!')).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}`);
  await expect(page.getByText('Deployment Successful!')).toBeVisible({ timeout: 90_000 });
  await page.goto(`${product.url}/ics/registries`);
  await take('rollback shop');
  const told = page.getByRole('dialog', { name: 'Roll back shop' });
  await expect(told).toContainText('There is no earlier run whose result is kept');
  await told.getByRole('button', { name: 'Close' }).last().click();
  await pushFiles(product, user, 'shop', { 'index.html': '<h1>second</h1>' });
  expect(await runDeploy(user, id)).toBe('COMPLETED');
  await page.reload();
  await take('roll back shop');
  const dialog = page.getByRole('dialog', { name: /^Roll back to/ });
  await dialog.getByRole('button', { name: 'Roll back', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/ics/deploy/${id}/runs/`));
  await expect.poll(() => runsOf(user, id), { timeout: 60_000 }).toContain('ROLLBACK COMPLETED');

  await take('settings shop');
  await expect(page).toHaveURL(`${product.url}/ics/deploy/${id}/settings`);
  await open();
  await palette.getByRole('combobox').fill('shop');
  await palette.getByRole('group', { name: 'Repositories' }).getByRole('option').click();
  await expect(page).toHaveURL(`${product.url}/${user.name}/shop`);
  // The pages of repositories have a frame of theirs, which comes with the page.
  await expect(page.getByText('git clone')).toBeVisible();
  await take('upgrade without losing');
  await expect(page).toHaveURL(/\/documentation\/getting-started\/upgrade-without-losing-data$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Upgrade without losing data' })).toBeVisible();
  await take('workspace');
  await expect(page).toHaveURL(`${product.url}/ics/profile_temp`);
  // So have those of the guide: the frame changes once more.
  await expect(page.getByRole('heading', { level: 1, name: 'Upgrade' })).toHaveCount(0);
  await untilQuiet(page);
  await open();
  await palette.getByRole('combobox').fill('sample product');
  await palette.getByRole('option').filter({ hasText: 'Sample product' }).first().click();
  await expect(page).toHaveURL(/\/app\/ecommerce\/product\/[\w-]+$/);
});

test('two keys lead to pages, but not while typing, nor in a dialog or a menu, nor when they are switched off', async ({
  page,
  product,
  signedIn: _signedIn,
  user,
}) => {
  await createCanister(user.api, 'Bakery');
  const at = async (path: string, keys: string): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
    await expect(page).toHaveURL(product.url + path);
  };
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await at('/ics/canisters', 'gc');
  await at('/ics/dapps', 'ga');
  await at('/ics/marketplace', 'gm');
  await at('/ics/registries', 'gr');
  await at('/ics/canisters', 'gc');
  const search = page.getByRole('searchbox', { name: 'Search canisters' });
  await search.focus();
  for (const key of 'gd') await page.keyboard.press(key);
  await expect(search).toHaveValue('gd');
  await expect(page).toHaveURL(/\/ics\/canisters/);
  await page.locator('main').focus();
  await at('/ics/registries', 'gr');
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  for (const key of 'gm') await page.keyboard.press(key);
  await expect(page).toHaveURL(/\/ics\/registries/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toContainText('Go to Marketplace');
  for (const key of 'gm') await page.keyboard.press(key);
  await expect(shortcuts).toBeVisible();
  await expect(page).toHaveURL(/\/ics\/registries/);
  await shortcuts.getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await expect(shortcuts).toBeHidden();
  for (const key of 'gm') await page.keyboard.press(key);
  await page.keyboard.press('Control+k');
  await paletteOf(page).input.fill('marketplace');
  await expect(paletteOf(page).chosen, 'no keys are shown that do nothing').toHaveText('Marketplace');
  await expect(page).toHaveURL(/\/ics\/registries/);
});

test('the palette comes when it is asked for: no page loads it before, and what is typed meanwhile is not lost', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Bakery');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (/\/assets\/command-palette-/.test(request.url())) asked.push(request.url());
  });
  await page.goto(`${product.url}/ics/registries`);
  await untilQuiet(page);
  expect(asked).toEqual([]);
  await page.route('**/assets/command-palette-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('bakery');
  const { input, chosen } = paletteOf(page);
  await expect(input).toHaveValue('bakery');
  await expect(input).toBeFocused();
  await expect(chosen).toContainText('Bakery');
  expect(asked).toHaveLength(1);
});

test('what was used last is forgotten at the sign-out', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await page.goto(`${product.url}/ics/canister/${id}`);
  const recent = () => page.evaluate(() => localStorage.getItem('palette-recent'));
  await expect.poll(recent).toContain(id);
  await paletteOf(page).take('sign out');
  await expect(page).toHaveURL(/\/login$/);
  expect(await recent()).toBeNull();
});

test('each key is answered at once among 10,000 canisters', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'service');
  await page.route('**/api/canister/list/', async (route) => {
    const answer = await route.fetch();
    const [row = {}] = (await answer.json()) as object[];
    const rows = Array.from({ length: 10_000 }, (_, place) => ({
      ...row,
      id: `${place.toString(36).padStart(5, 'a')}-aaaaa-aaaaa-aaaaq-cai`,
      name: `service ${place} of the shop`,
    }));
    await route.fulfill({ response: answer, json: rows });
  });
  await page.goto(`${product.url}/ics/registries`);
  const { palette, input, chosen, open } = paletteOf(page);
  await open();
  await input.fill('service 9999');
  await expect(chosen).toContainText('service 9999');
  await input.fill('');
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(window, { times });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.name === 'keydown') times.push(entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  const text = 'stop service 42';
  for (const key of text) {
    await page.keyboard.press(key);
    await page.waitForTimeout(60);
  }
  await expect(chosen).toContainText('Stop service 42');
  expect(await palette.getByRole('option').count()).toBeLessThan(25);
  const slow = await page.evaluate(() => (window as unknown as { times: number[] }).times);
  const times = [...Array.from({ length: text.length - slow.length }, () => 16), ...slow].toSorted(
    (a, b) => a - b,
  );
  test.info().annotations.push({ type: 'keys', description: `${times.join(', ')} ms` });
  // From the key to the next picture; the machine of the test draws others as well.
  expect(times[Math.floor(times.length / 2)]).toBeLessThanOrEqual(50);
});

test('Enter takes what was typed, also before the list shows what it finds', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const id = await createCanister(user.api, 'Bakery');
  await page.goto(`${product.url}/ics/dashboard`);
  await page.getByRole('button', { name: 'Open the command palette' }).click();
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await expect(palette.getByRole('option', { name: 'Bakery' })).toBeVisible();
  // No frame is painted any more, so that the list stays as it is.
  await page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });
  await page.keyboard.insertText('bakery');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/ics/canister/${id}$`));
});

test('what comes while somebody types is drawn once typing pauses, and skeletons keep still meanwhile', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  await createCanister(user.api, 'Bakery');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/canister/list/**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${product.url}/ics/dashboard`);
  const skeleton = page.getByRole('status', { name: 'Loading dashboard' });
  await expect(skeleton).toBeVisible();
  const pulses = () =>
    page.evaluate(() => [
      ...new Set(
        document
          .getAnimations()
          .filter((one) => one instanceof CSSAnimation && one.animationName === 'pulse')
          .map(({ playState }) => playState),
      ),
    ]);
  expect(await pulses()).toEqual(['running']);
  await page.evaluate(() => {
    const type = (): boolean => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }));
    type();
    Object.assign(window, { typist: setInterval(type, 20) });
  });
  await expect.poll(pulses).toEqual(['paused']);
  const answered = page.waitForResponse('**/api/canister/list/**');
  held.resolve();
  await (await answered).finished();
  await page.waitForTimeout(1_000);
  await expect(skeleton).toBeVisible();
  await page.evaluate(() => clearInterval((window as unknown as { typist: number }).typist));
  await expect(skeleton).toBeHidden();
  await expect(page.getByRole('link', { name: 'Bakery' })).toBeVisible();
});
