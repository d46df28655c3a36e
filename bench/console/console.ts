import type { Browser } from '@playwright/test';
import { type Figure, type Section, spreadOf } from '../figures.ts';
import { useAllCores } from '../pinned.ts';
import { launchBrowser, openWindow } from './browser.ts';
import { type FilledProduct, startFilled } from './filled-product.ts';
import { firstLoad } from './first-load.ts';
import { usableMs } from './usable-list.ts';
import { type Use, useDashboard, useList } from './watched-list.ts';

type Report = (figure: Figure) => void;

const KIB = 1024;
const MANY = 1_000;
const VERY_MANY = 10_000;
const LOADS = 9;
const ROUNDS = 3;
const exactly = (value: number) => spreadOf([value]);

/** How quick the console is in a real browser, on the real product with many canisters. */
export const consoleSpeed: Section = {
  title: 'Console',
  async run(report) {
    // A browser is many processes: on one core they would be in each other's way as on no user's machine.
    useAllCores();
    const browser = await launchBrowser();
    try {
      await using product = await startFilled();
      await signInPage(browser, product, report);
      await product.own(MANY);
      await canistersPage(browser, product, report);
      await product.own(VERY_MANY - MANY);
      await longList(browser, product, report);
    } finally {
      await browser.close();
    }
  },
};

async function signInPage(browser: Browser, product: FilledProduct, report: Report): Promise<void> {
  const { scriptBytes, scripts, requests } = await firstLoad(browser, `${product.url}/login`);
  report({
    what: 'JavaScript of the first load of /login, gzipped',
    unit: 'KiB',
    spread: exactly(scriptBytes / KIB),
    goal: { atMost: 130 },
  });
  report({ what: 'files of it', unit: '', spread: exactly(scripts), goal: { atMost: 6 } });
  report({ what: 'requests of it, with page, styles and fonts', unit: '', spread: exactly(requests) });
}

async function canistersPage(browser: Browser, product: FilledProduct, report: Report): Promise<void> {
  const context = await openWindow(browser, product.token);
  const page = await context.newPage();
  const samples: number[] = [];
  for (let load = 0; load <= LOADS; load += 1) samples.push(await usableMs(page, product.url));
  await context.close();
  report({
    what: `canisters page with ${MANY} canisters usable, warm cache`,
    unit: 'ms',
    // The first load fills the cache.
    spread: spreadOf(samples.slice(1)),
    goal: { atMost: 500 },
  });
}

async function longList(browser: Browser, product: FilledProduct, report: Report): Promise<void> {
  const context = await openWindow(browser, product.token);
  const page = await context.newPage();
  const rounds: (readonly Use[])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await usableMs(page, product.url);
    const list = await useList(page);
    await page.goto(`${product.url}/ics/dashboard`);
    await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
    rounds.push([...list, ...(await useDashboard(page))]);
  }
  await context.close();
  for (const { what } of rounds[0] ?? []) {
    const same = rounds.flatMap((uses) => uses.filter((use) => use.what === what));
    report({
      what: `INP with ${VERY_MANY} canisters, refreshed meanwhile: ${what}`,
      unit: 'ms',
      spread: spreadOf(same.map(({ inp }) => inp)),
      goal: { atMost: 100 },
    });
  }
  report({
    what: `rows or cards in the document with ${VERY_MANY} canisters`,
    unit: '',
    spread: exactly(Math.max(...rounds.flat().map(({ rows }) => rows))),
    goal: { atMost: 60 },
  });
}
