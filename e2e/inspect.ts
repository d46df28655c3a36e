import { expect, type Page } from '@playwright/test';
import { overflowOf, violationsOf } from './accessibility.ts';

/** Looks at a screen on a phone in the dark theme, then goes back to where it was. */
export async function inspectOnPhone(page: Page, name: string): Promise<void> {
  const theme = (chosen: string) =>
    page.evaluate((to) => {
      document.documentElement.dataset.theme = to;
    }, chosen);
  await page.setViewportSize({ width: 390, height: 900 });
  await theme('dark');
  expect.soft(await overflowOf(page), name).toBe(0);
  expect.soft(await violationsOf(page), name).toEqual([]);
  await theme('default');
  await page.setViewportSize({ width: 1440, height: 900 });
}
