import type { Page } from '@playwright/test';
import { inspectOnPhone } from '../support/inspect.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { linkedWorld, type LinkedWorld } from '../support/linked-world.ts';
import { expect, test } from '../support/product.ts';

/** What the gateway says of an answer that came, but that it cannot verify. */
const ANSWERED = 'The canister answered';

const canister = (id: string): string => `/ics/canister/${id}`;

/** What is linked in both directions, each in one click. */
function pairsOf({
  site,
  instance,
  bread,
  pages,
}: LinkedWorld): readonly (readonly [string, string, string])[] {
  return [
    ['a canister and the deploy that fills it', canister(site), pages.deploy],
    ['a canister and its repository', canister(site), pages.repository],
    ['a canister and the commit that it is of', canister(site), pages.commit],
    ['a deploy and its repository', pages.deploy, pages.repository],
    ['a repository and a commit', pages.repository, pages.commit],
    ['a canister and the dapp that it runs', canister(instance), pages.dapp],
    ['a canister and the registry that it is of', canister(bread), pages.registry],
    ['a dapp and the repository that it is made from', pages.ownDapp, pages.repository],
  ];
}

/** Clicks the link of a page that leads to another one, and expects to be there, in this tab or a new one. */
async function follow(page: Page, origin: string, from: string, to: string): Promise<void> {
  await page.goto(origin + from);
  const place = page.locator('main, [role="dialog"]');
  const hrefs = [to, `${origin}${to}`].map((href) => `a[href="${href}"]:visible`).join(', ');
  const link = place.locator(hrefs).first();
  await expect(link, `${from} has no link to ${to}`).toBeVisible();
  if ((await link.getAttribute('target')) !== '_blank') {
    await link.click();
    await expect(page).toHaveURL(origin + to);
    return;
  }
  const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await expect(opened).toHaveURL(origin + to);
  await opened.close();
}

test('every thing leads to its neighbours and back, each in one click', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const world = await linkedWorld(product, user);
  const { pages, site } = world;
  for (const [name, one, other] of pairsOf(world)) {
    await test.step(name, async () => {
      await follow(page, product.url, one, other);
      await follow(page, product.url, other, one);
    });
  }
  // A run is a part of the page of its deploy, which leads to the canister.
  await follow(page, product.url, canister(site), pages.run);
  await follow(page, product.url, pages.run, canister(site));
  await follow(page, product.url, pages.repository, pages.run);
  await follow(page, product.url, pages.commit, pages.run);
});

test('the page of a canister says where its code came from, and a canister that answers HTTP is opened from everywhere', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const world = await linkedWorld(product, user);
  const { site, instance, bread, byHand, empty, publisher, commit, pages } = world;
  const lines: readonly (readonly [string, string | RegExp])[] = [
    [site, `Installed by run 2 of my-site, commit ${commit.slice(0, 7)} of ${user.name}/my-site`],
    [instance, `Installed from Guestbook of ${user.name} 1.0.1 of @${publisher}`],
    [bread, 'Installed from the registry Sourdough, version 1'],
    [byHand, 'Installed from a file by hand'],
    [empty, 'No code has been installed yet.'],
  ];
  const line = page.getByRole('region', { name: /^(DApp|Origin of the code)$/ });
  for (const [id, text] of lines) {
    await page.goto(product.url + canister(id));
    await expect(line).toContainText(text);
    expect(await layoutShift(page), String(text)).toBeLessThanOrEqual(NOT_MOVED);
    await inspectOnPhone(page, `the page of a canister: ${String(text)}`);
    const serves = id === site || id === instance;
    await expect(line.getByRole('link', { name: 'Open' })).toHaveCount(serves ? 1 : 0);
    await expect(page.getByRole('region', { name: 'Website' })).toHaveCount(serves ? 1 : 0);
  }

  const { canister_url_pattern: pattern } = await user.api.call<{ canister_url_pattern: string }>(
    'GET',
    '/config',
  );
  const address = pattern.replace('{canisterId}', instance);
  for (const [screen, path, place] of [
    ['its page', canister(instance), 'main'],
    ['the table', '/ics/canisters', 'table[aria-label="Canisters"]'],
    ['the cards', '/ics/canisters?view=cards', 'main li'],
    ['the dashboard', '/ics/dashboard', 'section[aria-label="Apps"]'],
    ['the dapp', pages.dapp, 'section[aria-label="Your instances"]'],
  ] as const) {
    await page.goto(product.url + path);
    const links = page.locator(place).locator(`a[href="${address}"]:visible`);
    await expect(links.first(), screen).toBeVisible();
    await expect(links.first()).toHaveAttribute('rel', /\bnoopener\b/);
    await expect(page.getByRole('button', { name: 'Copy address' }).first()).toBeVisible();
    // Of others nothing is offered, whatever they serve.
    await expect(page.locator(`a[href*="${byHand}"]`, { hasText: 'Open' })).toHaveCount(0);
    await inspectOnPhone(page, screen);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), links.first().click()]);
    await expect(opened.locator('body')).toContainText(ANSWERED);
    expect(await opened.evaluate(() => window.opener === null && document.referrer === '')).toBe(true);
    await opened.close();
  }

  await page.goto(`${product.url}/ics/dashboard`);
  await expect(page.getByRole('region', { name: 'Apps' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('open my guest');
  const option = page.getByRole('option', { name: 'Open My guestbook' });
  await expect(option).toBeVisible();
  const [opened] = await Promise.all([page.context().waitForEvent('page'), option.click()]);
  await expect(opened.locator('body')).toContainText(ANSWERED);

  for (const [screen, path] of [
    ['a repository', pages.repository],
    ['a commit', pages.commit],
  ] as const) {
    await page.goto(product.url + path);
    await expect(page.getByRole('region', { name: /^(Used by|Live in)$/ })).toBeVisible();
    expect(await layoutShift(page), screen).toBeLessThanOrEqual(NOT_MOVED);
    await inspectOnPhone(page, screen);
  }
});
