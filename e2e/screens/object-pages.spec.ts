import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectFits } from '../support/accessibility.ts';
import { createCanister, emptyModule, installModule, topUp } from '../support/canisters-of.ts';
import { submitDapp, uniqueModule } from '../support/dapps-of.ts';
import { createSite, runDeploy } from '../support/deploys.ts';
import { layoutShift, NOT_MOVED } from '../support/layout-shift.ts';
import { expect, test } from '../support/product.ts';
import { addRegistry } from '../support/registries-of.ts';
import { untilQuiet } from '../support/until-quiet.ts';

const HEIGHT = 900;

/** Where the rail is: beside the main part, beneath it, or not there yet. */
async function railPlace(page: Page): Promise<'beside' | 'beneath' | 'absent'> {
  const rail = page.getByTestId('rail');
  const [facts, main] = [await rail.boundingBox(), await rail.locator('xpath=../div[1]').boundingBox()];
  if (facts === null || main === null) return 'absent';
  if (facts.x >= main.x + main.width && Math.abs(facts.y - main.y) < 20) return 'beside';
  return facts.y >= main.y + main.height ? 'beneath' : 'absent';
}

test('the page of an object has its facts beside the main part where there is room, beneath it elsewhere, and nothing jumps', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const site = await createSite(product, user, 'bakery');
  expect(await runDeploy(user, site)).toBe('COMPLETED');
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${site}`);
  const dapp = await submitDapp(user.api, { name: `Bakery of ${user.name}` }, uniqueModule());
  const pages = [
    [`/ics/canister/${canisters[0]}`, 'Delete this canister'],
    [`/ics/deploy/${site}`, 'The site is live'],
    [`/ics/deploy/${site}/settings`, 'Publish directory'],
    [`/${user.name}/bakery`, 'Last commits'],
    [`/ics/dapp/${dapp}`, 'Uploaded by:'],
    ['/ics/account', 'CANISTER CREATE'],
  ] as const;
  for (const [address, shown] of pages) {
    for (const [width, place] of [
      [1440, 'beside'],
      [1024, 'beneath'],
      [768, 'beneath'],
      [390, 'beneath'],
    ] as const) {
      const name = `${address}, ${width} px`;
      await page.setViewportSize({ width, height: HEIGHT });
      await page.goto(product.url + address);
      await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
      await untilQuiet(page);
      expect.soft(await layoutShift(page), name).toBeLessThanOrEqual(NOT_MOVED);
      expect.soft(await railPlace(page), name).toBe(place);
      await expectFits(page, name);
    }
    // The place decides, not the window: without the sidebar there is room in a narrower one.
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    await expect.poll(() => railPlace(page), { message: `${address}, 1280 px` }).toBe('beneath');
    await page.getByRole('button', { name: 'Close sidebar' }).click();
    await expect.poll(() => railPlace(page), { message: `${address}, without the sidebar` }).toBe('beside');
  }
});

test('what one comes for is first: the picture and address of a site, and its last run', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  const site = await createSite(product, user, 'first');
  expect(await runDeploy(user, site)).toBe('COMPLETED');
  const { canisters } = await user.api.call<{ canisters: string[] }>('GET', `/deploy/${site}`);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${product.url}/ics/deploy/${site}`);
    await expect(page.getByRole('link', { name: /^http:.*localhost/ }).first()).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Manual Deploy' })).toBeInViewport();
    await expect(page.getByText('is live for').first()).toBeInViewport();
    await page.goto(`${product.url}/ics/canister/${canisters[0]}`);
    await expect(page.getByRole('region', { name: 'Website' }).getByRole('link')).toBeInViewport();
  }
});

/** What is wrong with cells of a table: a text that takes two lines, or one that is cut. */
function brokenCells(page: Page, table: string, headings: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ([label, columns]) =>
      [...document.querySelectorAll(`table[aria-label="${label}"] tbody td`)]
        .filter((cell) => columns.includes(cell.getAttribute('data-label') ?? ''))
        .flatMap((cell) => {
          const of = `${cell.getAttribute('data-label')}: ${cell.textContent}`;
          const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
          const tops = new Set<number>();
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            if (node.parentElement?.closest('.sr-only') != null) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            for (const { top, width } of range.getClientRects()) if (width > 0) tops.add(Math.round(top / 4));
          }
          const cut = [...cell.querySelectorAll('*')].some(
            (part) =>
              !part.classList.contains('sr-only') &&
              getComputedStyle(part).overflowX !== 'visible' &&
              part.scrollWidth > part.clientWidth + 1,
          );
          return [...(tops.size > 1 ? [`${of} wraps`] : []), ...(cut ? [`${of} is cut`] : [])];
        }),
    [table, headings] as const,
  );
}

const isStacked = (page: Page, table: string): Promise<boolean> =>
  page
    .getByRole('table', { name: table, exact: true })
    .locator('thead')
    .evaluate((head) => getComputedStyle(head).display === 'none');

test('[REG-01] tables stack before an id is cut or a date takes two lines, with the sidebar open and without', async ({
  page,
  product,
  user,
  signedIn: _signedIn,
}) => {
  test.slow();
  const id = await createCanister(user.api, 'A canister with quite a long name that has to be cut somewhere');
  await installModule(user.api, id, emptyModule);
  await topUp(user.api, id, 1);
  await createCanister(user.api, 'Oven');
  const site = await createSite(product, user, 'a-repository-with-quite-a-long-name');
  expect(await runDeploy(user, site)).toBe('COMPLETED');
  const module = uniqueModule();
  await addRegistry(user.api, 'Sourdough with quite a long name', module);

  const look = async (name: string, table: string, headings: readonly string[]): Promise<void> => {
    const broken = () => brokenCells(page, table, headings);
    await expect.soft.poll(broken, { message: name }).toEqual([]);
    await expectFits(page, name);
  };
  for (const [address, table, headings, stackedAt] of [
    ['/ics/canisters', 'Canisters', ['Canister ID', 'Status', 'Created At'], [1024, 768, 390]],
    ['/ics/canisters', 'DApps', ['Status', 'Type', 'Duration', 'Created At'], [1024, 768, 390]],
    ['/ics/account', 'Transactions', ['Canister id', 'Amount', 'Created At'], [1024, 768, 390]],
    ['/ics/dashboard', 'Transactions', ['Canister id', 'Amount', 'Created At'], [1024, 768, 390]],
    ['/ics/registries', 'Registries', ['Registry ID', 'Identifier', 'Created At'], [1024, 768, 390]],
    [`/ics/canister/${id}`, 'Logs', ['Module Hash', 'Status', 'Update At'], [390]],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: HEIGHT });
    await page.goto(product.url + address);
    await expect(page.getByRole('table', { name: table, exact: true })).toBeVisible();
    await untilQuiet(page);
    for (const width of [1440, 1280, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: HEIGHT });
      const name = `${address}, ${table}, ${width} px`;
      // On a phone a line holds less than a hash.
      const whole = width === 390 ? headings.filter((heading) => heading !== 'Identifier') : headings;
      await look(name, table, whole);
      const isNarrow = (stackedAt as readonly number[]).includes(width);
      if (width !== 1280) expect.soft(await isStacked(page, table), name).toBe(isNarrow);
      if (width < 960) continue;
      await page.getByRole('button', { name: 'Close sidebar' }).click();
      await look(`${name}, without the sidebar`, table, whole);
      await page.getByRole('button', { name: 'Open sidebar' }).click();
    }
  }

  // In full, and not only not cut by the style sheet.
  await page.setViewportSize({ width: 1440, height: HEIGHT });
  await page.goto(`${product.url}/ics/registries`);
  const identifier = createHash('sha256').update(module).digest('hex');
  await expect(page.locator('td[data-label="Identifier"]').first()).toHaveText(identifier);
  for (const address of ['/ics/canisters', '/ics/account']) {
    await page.goto(product.url + address);
    await expect(page.getByRole('table').getByText(id, { exact: true }).first()).toBeVisible();
  }
});
