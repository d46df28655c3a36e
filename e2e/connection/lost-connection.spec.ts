import type { Page } from '@playwright/test';
import { violationsInThemes } from '../support/accessibility.ts';
import { callsOf, failCalls } from '../support/calls.ts';
import { createCanister, stop } from '../support/canisters-of.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { expect, test } from '../support/product.ts';
import { untilQuiet } from '../support/until-quiet.ts';

/** Milliseconds in which the bar must come after a loss, and go after the service is back. */
const SOON_MS = 3_000;

const barOf = (page: Page) => page.getByText(/^No connection\. /);

/** Milliseconds until the bar has come or gone, as the page itself sees it: whatever else this machine is busy with. */
const barMoments = (page: Page) =>
  page.evaluate(() => (window as unknown as { barMoments: { at: number; lost: boolean }[] }).barMoments);

/** Writes down when the bar comes and goes. */
async function watchBar(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moments: { at: number; lost: boolean }[] = [];
    Object.assign(window, { barMoments: moments });
    new MutationObserver(() => {
      const lost = document.querySelector('[data-lost]') !== null;
      if ((moments.at(-1)?.lost ?? false) !== lost) moments.push({ at: Date.now(), lost });
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
}

for (const [where, address] of [
  ['a page that is fetched again and again', '/ics/canisters'],
  ['a page that fetches nothing', '/ics/registries'],
] as const) {
  test(`the server is killed and started again: the bar of ${where} comes and goes within 3 s, and nothing moves`, async ({
    page,
    product,
    user,
    signedIn: _s,
  }) => {
    const id = await createCanister(user.api, 'Stopped meanwhile');
    await watchBar(page);
    await page.goto(`${product.url}${address}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await untilQuiet(page);
    const movedBefore = await layoutShift(page);

    const killedAt = Date.now();
    await product.kill();
    try {
      await expect(barOf(page)).toBeVisible();
      const [lost] = await barMoments(page);
      expect((lost?.at ?? Infinity) - killedAt).toBeLessThan(SOON_MS);
      await expect(barOf(page)).toHaveText(
        /^No connection\. What you see is of \d\d:\d\d\. Trying again \.\.\.$/,
      );
      await expect(page.locator('[aria-live]').filter({ hasText: 'No connection.' })).toHaveCount(1);
      expect(await violationsInThemes(page)).toEqual([]);
      // It stays as it is: a text that changes would be read again and again.
      await page.waitForTimeout(4_000);
      expect(await barMoments(page)).toHaveLength(1);
    } finally {
      await product.restart();
    }
    const backAt = Date.now();
    await stop(user.api, id);
    await expect(barOf(page)).toBeHidden();
    const back = (await barMoments(page)).at(-1);
    expect((back?.at ?? Infinity) - backAt).toBeLessThan(SOON_MS);
    expect(await layoutShift(page)).toBeLessThanOrEqual(movedBefore + NOT_MOVED);
    if (address === '/ics/canisters') {
      await expect(page.getByRole('row').filter({ hasText: 'Stopped meanwhile' })).toContainText('stopped');
    }
  });
}

test("'Try now' asks at once, and what is on show is fetched again when the service is back", async ({
  page,
  product,
  signedIn: _s,
}) => {
  await page.goto(`${product.url}/ics/registries`);
  await expect(page.getByText("You haven't added any registry yet.")).toBeVisible();
  await page.route('**/api/**', (route) => route.abort());
  await expect(barOf(page)).toBeVisible();
  const asked = callsOf(page, 'HEAD', '/api/config');
  const before = asked.length;
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect.poll(() => asked.length).toBeGreaterThan(before);
  await expect(barOf(page)).toBeVisible();
  const lists: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/api/registry')) lists.push(request.url());
  });
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(barOf(page)).toBeHidden();
  await expect.poll(() => lists.length, 'what is on show is fetched again').toBeGreaterThan(0);
});

test('answers of a proxy before a service that is away are no answers', async ({
  page,
  product,
  signedIn: _s,
}) => {
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByRole('heading', { name: 'Canisters', exact: true })).toBeVisible();
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await expect(barOf(page)).toBeVisible();
  await page.unrouteAll();
  await expect(barOf(page)).toBeHidden();
});

test('a call that is refused, fails or breaks alone shows no bar', async ({
  page,
  product,
  signedIn: _s,
}) => {
  await watchBar(page);
  await failCalls(page, /\/api\/deploy\/?(\?.*)?$/, 500);
  await page.route('**/api/canister/list/*', (route) => route.abort());
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByText('Cannot load canisters. Please try again later.')).toBeVisible();
  await expect(page.getByText('Cannot load DApps. Please try again later.')).toBeVisible();
  await page.waitForTimeout(6_000);
  expect(await barMoments(page)).toEqual([]);
});

test('a browser without a network that still reaches the service shows no bar; without both it does', async ({
  page,
  product,
  signedIn: _s,
}) => {
  await watchBar(page);
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByRole('heading', { name: 'Canisters', exact: true })).toBeVisible();
  // A service on the own computer is reached without any network.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    dispatchEvent(new Event('offline'));
  });
  const lists = callsOf(page, 'GET', '/api/canister/list/');
  await expect.poll(() => lists.length, 'lists are still fetched').toBeGreaterThan(1);
  expect(await barMoments(page)).toEqual([]);
  await page.context().setOffline(true);
  await expect(barOf(page)).toBeVisible();
  await page.context().setOffline(false);
  await expect(barOf(page)).toBeHidden();
});

test('offline clicks on ten routes never leave the shell, and the page comes when the connection is back', async ({
  page,
  product,
  user,
  signedIn: _s,
}) => {
  const id = await createCanister(user.api, 'Clicked');
  await page.goto(`${product.url}/ics/canisters`);
  await expect(page.getByRole('link', { name: 'Clicked' })).toBeVisible();
  await untilQuiet(page);
  await page.context().setOffline(true);
  await expect(barOf(page)).toBeVisible();
  const menu = page.getByRole('navigation', { name: 'Main' });
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });
  const inShell = async (address: string | RegExp): Promise<void> => {
    await expect(page).toHaveURL(address);
    // The page of the route, or why it is not there; never nothing.
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached();
    await expect(menu).toBeVisible();
    await expect(page.getByRole('button', { name: user.name })).toBeVisible();
    await expect(barOf(page)).toBeVisible();
  };
  await page.getByRole('link', { name: 'Clicked' }).click();
  await inShell(new RegExp(`/ics/canister/${id}`));
  for (const [label, address] of [
    ['Dashboard', /\/ics\/dashboard/],
    ['Registries', /\/ics\/registries/],
    ['Marketplace', /\/ics\/marketplace/],
    ['Canisters', /\/ics\/canisters/],
    ['DApps', /\/ics\/dapps/],
  ] as const) {
    await menu.getByRole('link', { name: label, exact: true }).click();
    await inShell(address);
  }
  await page.getByRole('link', { name: 'Live Preview' }).click();
  await inShell(/\/app$/);
  await menu.getByRole('button', { name: 'Create DApp' }).click();
  await menu.getByRole('link', { name: 'Static Website' }).click();
  await inShell(/\/ics\/deploy\/?\?type=STATIC_SITE/);
  await menu.getByRole('link', { name: 'Motoko Smart Contract' }).click();
  await inShell(/\/ics\/deploy\/?\?type=MOTOKO/);
  await menu.getByRole('link', { name: 'Marketplace', exact: true }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });
  await expect(failure).toContainText('there is no connection');
  // Pressed without a connection it stays where it is: the browser would show its own error page.
  await failure.getByRole('button', { name: 'Try again' }).click();
  await expect(failure.getByRole('button', { name: 'Try again' })).toBeEnabled();
  await inShell(/\/ics\/marketplace/);
  expect(documents).toEqual([]);

  await page.context().setOffline(false);
  await expect(barOf(page)).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Marketplace' })).toBeVisible();
});

test('a dialog whose code does not arrive says so, and what is behind it stays', async ({
  page,
  product,
  signedIn: _s,
}) => {
  await page.goto(`${product.url}/ics/registries`);
  await expect(page.getByText("You haven't added any registry yet.")).toBeVisible();
  // The palette itself is loaded when it is asked for first.
  await page.getByRole('button', { name: /Open the command palette/ }).click();
  await expect(page.getByRole('combobox')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await expect(barOf(page)).toBeVisible();
  await page.getByRole('button', { name: /Open the command palette/ }).click();
  await page.getByRole('combobox').fill('Create canister');
  await page.keyboard.press('Enter');
  const missing = page.getByRole('dialog', { name: 'This could not be opened' });
  await expect(missing).toContainText('A part of the program did not arrive. There is no connection.');
  await missing.getByRole('button', { name: 'Try again' }).click();
  await expect(missing).toBeVisible();
  await page.context().setOffline(false);
  await expect(barOf(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add new registry', includeHidden: true })).toBeAttached();
  // Some browsers keep in mind that it did not arrive: a second try loads the page.
  const loaded = page.waitForEvent('load');
  await missing.getByRole('button', { name: 'Try again' }).click();
  await loaded;
  await expect(page.getByRole('button', { name: 'Add new registry' })).toBeVisible();
});

test('code that is gone with an earlier release is an error in the shell, and a second try loads the page again', async ({
  page,
  product,
  user,
  signedIn: _s,
}) => {
  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  const isGone = /\/assets\/marketplace-[^/]*\.js$/;
  await page.route(isGone, (route) => route.fulfill({ status: 404, json: { error: 'There is nothing.' } }));
  await page.getByRole('link', { name: 'Marketplace' }).first().click();
  const failure = page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });
  await expect(failure).toBeVisible();
  await expect(page.getByRole('button', { name: user.name })).toBeVisible();
  await expect(barOf(page)).toBeHidden();
  await page.unroute(isGone);
  const loaded = page.waitForEvent('load');
  await failure.getByRole('button', { name: 'Try again' }).click();
  await loaded;
  await expect(page.getByRole('heading', { level: 1, name: 'Marketplace' })).toBeVisible();
});
