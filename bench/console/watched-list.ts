import type { Page } from '@playwright/test';
import { inpOf, takeInteractions, watchInteractions } from './interactions.ts';

/** What one kind of use of a list costs. */
export interface Use {
  readonly what: string;
  /** Milliseconds of INP. */
  readonly inp: number;
  /** Most rows or cards that were in the document. */
  readonly rows: number;
}

/** Long enough that the list is fetched again at least once meanwhile, in milliseconds. */
const USE_MS = 6_000;
/** Between two keys or clicks of somebody quick, in milliseconds. */
const PAUSE_MS = 120;
const SEARCHES = ['service 12', 'SERVICE 9', 'aaaaa', '777', 'nothing like it'];

/** Filters, sorts, scrolls, pages and opens drawers in a list of canisters while it is fetched again and again. */
export async function useList(page: Page): Promise<Use[]> {
  await watchInteractions(page);
  const search = page.getByRole('searchbox', { name: 'Search canisters' });
  const table = page.getByRole('table', { name: 'Canisters' });
  const uses: Use[] = [];
  const measure = async (what: string, steps: () => AsyncGenerator<void>): Promise<void> => {
    uses.push(await measureUse(page, what, steps));
  };

  await page.getByRole('combobox', { name: 'Rows per page' }).first().selectOption('25');
  await measure('typed filtering', async function* () {
    for (const text of SEARCHES) {
      await search.focus();
      for (const key of text) yield page.keyboard.press(key);
      for (const _key of text) yield page.keyboard.press('Backspace');
    }
  });
  await measure('sorting', async function* () {
    for (const heading of ['Canister ID', 'Canister Name', 'Cycles', 'Created At']) {
      const button = table.getByRole('button', { name: heading, exact: true });
      yield button.click();
      yield button.click();
    }
  });
  await measure('paging and scrolling', async function* () {
    yield page.getByRole('button', { name: 'Next page' }).first().click();
    await page.mouse.wheel(0, 600);
    yield page.keyboard.press('PageDown');
    yield page.keyboard.press('PageUp');
  });
  await measure('selecting', async function* () {
    const boxes = table.locator('tbody').getByRole('checkbox');
    yield boxes.nth(1).click();
    yield boxes.nth(9).click({ modifiers: ['Shift'] });
    yield page.keyboard.press('Space');
    yield page.getByRole('button', { name: /^Select all/ }).click();
    yield page.keyboard.press('Escape');
  });
  await measure('the menu of a row', async function* () {
    yield table
      .getByRole('button', { name: /^Actions of/ })
      .nth(3)
      .click();
    await page.getByRole('menu').waitFor();
    yield page.keyboard.press('ArrowDown');
    yield page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  });
  await measure('opening a row', async function* () {
    yield table.locator('tbody tr').nth(4).locator('td').nth(3).click();
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
    yield page.getByRole('tab', { name: 'History' }).click();
    await page.goBack();
    await page.goBack();
    await table.waitFor();
  });
  await page.getByRole('button', { name: 'Show as cards' }).click();
  await measure('cards and their drawer', async function* () {
    yield page.locator('[data-edge]').first().click();
    await page.getByRole('dialog').waitFor();
    yield page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  await measure('command palette', async function* () {
    yield page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    for (const key of 'service 4') yield page.keyboard.press(key);
    yield page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  return uses;
}

/** Uses the dashboard of somebody with many canisters, which counts them and looks for those that need attention. */
export async function useDashboard(page: Page): Promise<Use[]> {
  await watchInteractions(page);
  return [
    await measureUse(page, 'dashboard and its palette', async function* () {
      yield page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
      for (const key of 'service 77') yield page.keyboard.press(key);
      yield page.keyboard.press('ArrowDown');
      yield page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }),
    await measureUse(page, 'from the dashboard to the list and back', async function* () {
      yield page.getByRole('link', { name: 'Canisters', exact: true }).first().click();
      await page.getByRole('table', { name: 'Canisters' }).waitFor();
      yield page.getByRole('link', { name: 'Dashboard', exact: true }).first().click();
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    }),
  ];
}

/** Repeats the steps of one kind of use for some seconds; `watchInteractions` must have been called. */
export async function measureUse(page: Page, what: string, steps: () => AsyncGenerator<void>): Promise<Use> {
  await takeInteractions(page);
  const end = performance.now() + USE_MS;
  let count = 0;
  let rows = 0;
  while (performance.now() < end) {
    for await (const _step of steps()) {
      count += 1;
      rows = Math.max(rows, await rowsOf(page));
      await page.waitForTimeout(PAUSE_MS);
    }
  }
  return { what, inp: inpOf(await takeInteractions(page), count), rows };
}

/** Rows of the longest table, or cards, in the document. */
function rowsOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(
      document.querySelectorAll('[data-edge]').length,
      document.querySelectorAll('ul[aria-label="DApps"] > li').length,
      ...[...document.querySelectorAll('table')].map((table) => table.tBodies[0]?.rows.length ?? 0),
    ),
  );
}
