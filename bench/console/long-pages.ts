import type { Page } from '@playwright/test';
import { type Section, spreadOf } from '../figures.ts';
import { startListed, texts } from '../lists/listed-product.ts';
import { useAllCores } from '../pinned.ts';
import { launchBrowser, openWindow } from './browser.ts';
import { watchInteractions } from './interactions.ts';
import { measureUse, type Use } from './watched-list.ts';

const MANY = 10_000;
const ROUNDS = 3;

/** How the registries page and the marketplace feel with many entries. */
export const longPages: Section = {
  title: 'Long pages',
  async run(report) {
    useAllCores();
    const browser = await launchBrowser();
    try {
      await using product = await startListed(MANY);
      const context = await openWindow(browser, product.api.token);
      const page = await context.newPage();
      const uses: Use[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        uses.push(...(await useRegistries(page, product.url)), ...(await useMarketplace(page, product.url)));
      }
      await context.close();
      for (const what of new Set(uses.map((use) => use.what))) {
        const same = uses.filter((use) => use.what === what);
        report({
          what: `INP with ${MANY}: ${what}`,
          unit: 'ms',
          spread: spreadOf(same.map(({ inp }) => inp)),
          goal: { atMost: 100 },
        });
      }
      report({
        what: `rows or cards in the document with ${MANY} registries and dapps`,
        unit: '',
        spread: spreadOf([Math.max(...uses.map(({ rows }) => rows))]),
        goal: { atMost: 60 },
      });
    } finally {
      await browser.close();
    }
  },
};

/** Types each text into a search field and takes it out again, key by key. */
async function* typing(page: Page, label: string): AsyncGenerator<void> {
  const field = page.getByRole('searchbox', { name: label });
  for (const text of Object.values(texts)) {
    await field.focus();
    for (const key of text) yield page.keyboard.press(key);
    for (const _key of text) yield page.keyboard.press('Backspace');
  }
}

async function useRegistries(page: Page, url: string): Promise<Use[]> {
  await page.goto(`${url}/ics/registries?registries.size=25`);
  const table = page.getByRole('table', { name: 'Registries' });
  await table.locator('tbody').getByRole('button').first().waitFor();
  await watchInteractions(page);
  return [
    await measureUse(page, 'registries, typed searching', () => typing(page, 'Search registries')),
    await measureUse(page, 'registries, sorting', async function* () {
      for (const heading of ['Registry ID', 'Registry Name', 'Identifier', 'Created At']) {
        const button = table.getByRole('button', { name: heading, exact: true });
        yield button.click();
        yield button.click();
      }
    }),
    await measureUse(page, 'registries, paging', async function* () {
      yield page.getByRole('button', { name: 'Next page' }).click();
    }),
  ];
}

async function useMarketplace(page: Page, url: string): Promise<Use[]> {
  await page.goto(`${url}/ics/marketplace`);
  await page.locator('ul[aria-label="DApps"] > li').first().waitFor();
  await watchInteractions(page);
  return [
    await measureUse(page, 'marketplace, typed searching', () => typing(page, 'Search dapps')),
    await measureUse(page, 'marketplace, paging', async function* () {
      yield page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next' }).click();
    }),
  ];
}
